// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/pair_formulas.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairs {
namespace {

/// The common base of all pair kernels: the parameter `kernel` and the formula.
class FormulaKernel : public PairKernel {
 public:
  Similarity& standard_kernel() const noexcept override { return *kernel_; }
  double evaluate(const StandardKernelValues& k) const noexcept override {
    return pairs::evaluate(formula(), k);
  }
  void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept override {
    pairs::evaluate(formula(), k, out);
  }

 protected:
  virtual PairFormula formula() const noexcept = 0;

  template <class T>
  static Declaration<T> declare(std::string id, std::string summary) {
    const std::string example =
        "vectors: {is: source/double_interval, dimension: 40, "
        "task: interexample, classes: 15, examples_per_class: 4, least_examples: 20}\n"
        "pairs:   {is: pairs/all, from: vectors}\n"
        "svm:     {is: solver/pairwise_svm, kernel: {is: " +
        id +
        "}, from: vectors, pairs: pairs}\n"
        "test:    {is: evaluator/verification, from: svm}";
    return Declaration<T>(std::move(id), std::move(summary))
        .documentation("Compares the pairs (a, b) and (c, d); k is the standard kernel.")
        .example(example)
        .complexity("a few operations per value once the standard kernel's values are known")
        .reference(reference)
        .parameter("kernel", &FormulaKernel::kernel_, "the standard kernel k, between examples",
                   default_component("similarity/linear"));
  }

  static constexpr const char* reference =
      "Brunner, Fischer, Luig, Thies: Pairwise Kernels, Support Vector Machines, and the "
      "Application to Large Scale Problems, 2011, eq. (3)";

 private:
  std::unique_ptr<Similarity> kernel_;
};

/// The kernels without own parameters, all symmetric.
template <Formula kind>
class PlainKernel final : public FormulaKernel {
 public:
  static Declaration<PlainKernel> declare();
  bool symmetric() const noexcept override { return true; }
  bool even() const noexcept override {
    return kind == Formula::metric_learning || kind == Formula::tensor_learning ||
           kind == Formula::asymmetric_tensor || kind == Formula::tensor_metric_learning;
  }
  bool translation_invariant() const noexcept override {
    return kind == Formula::metric_learning || kind == Formula::symmetric_direct_sum ||
           kind == Formula::direct_sum;
  }
  std::optional<PairKernelSum> symmetric_sum() const override;

 protected:
  PairFormula formula() const noexcept override { return {kind, 0, 1}; }
};

using SymmetricDirectSum = PlainKernel<Formula::symmetric_direct_sum>;
using MetricLearning = PlainKernel<Formula::metric_learning>;
using TensorLearning = PlainKernel<Formula::tensor_learning>;
using AsymmetricTensor = PlainKernel<Formula::asymmetric_tensor>;
using DirectSum = PlainKernel<Formula::direct_sum>;
using TensorMetricLearning = PlainKernel<Formula::tensor_metric_learning>;

/// The kernels with a power, (u + r)^p.
template <Formula kind>
class PowerKernel final : public FormulaKernel {
 public:
  static Declaration<PowerKernel> declare();
  bool symmetric() const noexcept override { return kind == Formula::ordered_representation; }
  bool ordered() const noexcept override { return kind == Formula::ordered_representation; }
  bool even() const noexcept override {
    return kind == Formula::polynomial_tensor || (offset_ == 0 && degree_ % 2 == 0);
  }
  bool translation_invariant() const noexcept override {
    return kind == Formula::polynomial_direct_sum && degree_ == 1;
  }
  std::optional<PairKernelSum> symmetric_sum() const override;

 protected:
  PairFormula formula() const noexcept override { return {kind, offset_, degree_}; }

 private:
  double offset_ = 0;
  std::int64_t degree_ = kind == Formula::polynomial_direct_sum ? 2 : 1;
};

using PolynomialDirectSum = PowerKernel<Formula::polynomial_direct_sum>;
using PolynomialTensor = PowerKernel<Formula::polynomial_tensor>;
using OrderedRepresentation = PowerKernel<Formula::ordered_representation>;

template <>
Declaration<SymmetricDirectSum> SymmetricDirectSum::declare() {
  return FormulaKernel::declare<SymmetricDirectSum>(
      "pair_kernel/symmetric_direct_sum",
      "K_SD = 1/2 (k(a,c) + k(a,d) + k(b,c) + k(b,d)): sees only the midpoint of a pair");
}

template <>
Declaration<MetricLearning> MetricLearning::declare() {
  return FormulaKernel::declare<MetricLearning>(
      "pair_kernel/metric_learning",
      "K_ML = 1/4 (k(a,c) - k(a,d) - k(b,c) + k(b,d))^2: sees only the difference of a pair, like "
      "a Mahalanobis distance");
}

template <>
Declaration<TensorLearning> TensorLearning::declare() {
  return FormulaKernel::declare<TensorLearning>(
      "pair_kernel/tensor_learning",
      "K_TL = 1/2 (k(a,c) k(b,d) + k(a,d) k(b,c)): the symmetric part of the tensor product");
}

template <>
Declaration<AsymmetricTensor> AsymmetricTensor::declare() {
  return FormulaKernel::declare<AsymmetricTensor>(
      "pair_kernel/asymmetric_tensor",
      "K_AT = 1/4 (k(a,c) k(b,d) - k(a,d) k(b,c))^2: the antisymmetric part of the tensor product, "
      "squared");
}

template <>
Declaration<DirectSum> DirectSum::declare() {
  return FormulaKernel::declare<DirectSum>("pair_kernel/direct_sum",
                                           "K_DS = K_SD + K_ML: midpoint and difference");
}

template <>
Declaration<TensorMetricLearning> TensorMetricLearning::declare() {
  return FormulaKernel::declare<TensorMetricLearning>(
      "pair_kernel/tensor_metric_learning", "K_TM = K_TL + K_ML: tensor product and difference");
}

template <>
Declaration<PolynomialDirectSum> PolynomialDirectSum::declare() {
  return FormulaKernel::declare<PolynomialDirectSum>(
             "pair_kernel/polynomial_direct_sum",
             "K_PS = (k(a,c) + k(b,d) + r)^p: not symmetric; solvers train on both orders of a "
             "pair "
             "or on the symmetric part")
      .parameter("r", &PolynomialDirectSum::offset_,
                 "added before the power; negative values would not give a kernel", at_least(0))
      .parameter("p", &PolynomialDirectSum::degree_, "the exponent", at_least(1), at_most(20));
}

template <>
Declaration<PolynomialTensor> PolynomialTensor::declare() {
  return FormulaKernel::declare<PolynomialTensor>("pair_kernel/polynomial_tensor",
                                                  "K_PT = (k(a,c) k(b,d) + r)^p: not symmetric; "
                                                  "solvers train on both orders of a pair or "
                                                  "on the symmetric part")
      .parameter("r", &PolynomialTensor::offset_,
                 "added before the power; negative values would not give a kernel", at_least(0))
      .parameter("p", &PolynomialTensor::degree_, "the exponent", at_least(1), at_most(20));
}

template <>
Declaration<OrderedRepresentation> OrderedRepresentation::declare() {
  return FormulaKernel::declare<OrderedRepresentation>(
             "pair_kernel/ordered_representation",
             "(<u, v> + r)^p of the representations u = (a + b, sgn(a_1 - b_1) (a - b)): symmetric")
      .documentation(
          "Remark 3 (Bar-Hillel et al. 2004). a_1 is the first value of an example's row. If a_1 = "
          "b_1, the sign is 0 and the difference is ignored: put a value first that differs "
          "between examples.")
      .parameter("r", &OrderedRepresentation::offset_,
                 "added before the power; negative values would not give a kernel", at_least(0))
      .parameter("p", &OrderedRepresentation::degree_, "the exponent", at_least(1), at_most(20))
      .example(R"(
        points: {is: source/checkerboard, side: 4, task: interexample, classes: 12, examples_per_class: 4}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/ordered_representation}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

template <Formula kind>
std::optional<PairKernelSum> PlainKernel<kind>::symmetric_sum() const {
  PairKernelSum sum;
  switch (kind) {
    case Formula::symmetric_direct_sum:
      sum.plain = {1, 0, 0};
      return sum;
    case Formula::metric_learning:
      sum.plain = {0, 1, 0};
      return sum;
    case Formula::tensor_learning:
      sum.plain = {0, 0, 1};
      return sum;
    case Formula::direct_sum:
      sum.plain = {1, 1, 0};
      return sum;
    case Formula::tensor_metric_learning:
      sum.plain = {0, 1, 1};
      return sum;
    default:
      return std::nullopt;
  }
}

/// With x = k(a,c), y = k(b,d): (x + y + r)^2 = x^2 + y^2 + 2 x y + 2 r (x + y) + r^2, whose
/// symmetric part is K_SD on k^2, 2 K_TL, 2 r K_SD and r^2; and (x y + r)^2 = x^2 y^2 + 2 r x y +
/// r^2, whose symmetric part is K_TL on k^2, 2 r K_TL and r^2.
template <Formula kind>
std::optional<PairKernelSum> PowerKernel<kind>::symmetric_sum() const {
  if (kind == Formula::ordered_representation || degree_ > 2) return std::nullopt;
  const bool tensor = kind == Formula::polynomial_tensor;
  PairKernelSum sum;
  sum.constant = degree_ == 1 ? offset_ : offset_ * offset_;
  const double once = degree_ == 1 ? 1 : 2 * offset_;
  (tensor ? sum.plain.tensor_learning : sum.plain.symmetric_direct_sum) = once;
  if (degree_ == 2) {
    (tensor ? sum.squared.tensor_learning : sum.squared.symmetric_direct_sum) = 1;
    if (!tensor) sum.plain.tensor_learning = 2;
  }
  return sum;
}

}  // namespace

ComponentEntry declare_asymmetric_tensor() { return AsymmetricTensor::declare().entry(); }
ComponentEntry declare_direct_sum() { return DirectSum::declare().entry(); }
ComponentEntry declare_metric_learning() { return MetricLearning::declare().entry(); }
ComponentEntry declare_ordered_representation() { return OrderedRepresentation::declare().entry(); }
ComponentEntry declare_polynomial_direct_sum() { return PolynomialDirectSum::declare().entry(); }
ComponentEntry declare_polynomial_tensor() { return PolynomialTensor::declare().entry(); }
ComponentEntry declare_symmetric_direct_sum() { return SymmetricDirectSum::declare().entry(); }
ComponentEntry declare_tensor_learning() { return TensorLearning::declare().entry(); }
ComponentEntry declare_tensor_metric_learning() { return TensorMetricLearning::declare().entry(); }

}  // namespace semblance::pairs
