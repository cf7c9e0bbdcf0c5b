// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pair_formulas.hpp"
#include "semblance/declaration.hpp"

namespace semblance::pairwise {

/// The common base of all pair kernels: the parameter `kernel` and the formula.
class FormulaKernel : public PairKernel {
 public:
  Similarity& standard_kernel() const noexcept override { return *kernel_; }
  double evaluate(const StandardKernelValues& k) const noexcept override {
    return pairwise::evaluate(formula(), k);
  }
  void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept override {
    pairwise::evaluate(formula(), k, out);
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

}  // namespace semblance::pairwise
