// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "semblance/declaration.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#ifndef SEMBLANCE_PAIR_FORMULAS
#define SEMBLANCE_PAIR_FORMULAS
namespace semblance::pairs {

/// The pair kernels (3a)-(3h) and that of Remark 3 as formulas of standard kernel values.
enum class Formula {
  polynomial_direct_sum,   ///< (k(a,c) + k(b,d) + r)^p, (3a)
  polynomial_tensor,       ///< (k(a,c) k(b,d) + r)^p, (3b)
  symmetric_direct_sum,    ///< 1/2 (k(a,c) + k(a,d) + k(b,c) + k(b,d)), (3c)
  metric_learning,         ///< 1/4 (k(a,c) - k(a,d) - k(b,c) + k(b,d))^2, (3d)
  tensor_learning,         ///< 1/2 (k(a,c) k(b,d) + k(a,d) k(b,c)), (3e)
  asymmetric_tensor,       ///< 1/4 (k(a,c) k(b,d) - k(a,d) k(b,c))^2, (3f)
  direct_sum,              ///< K_SD + K_ML, (3g)
  tensor_metric_learning,  ///< K_TL + K_ML, (3h)
  ordered_representation   ///< (<a+b, c+d> + order <a-b, c-d> + r)^p, Remark 3
};

inline constexpr std::size_t formulas = 9;

struct PairFormula {
  Formula kind = Formula::tensor_learning;
  double offset = 0;        ///< r
  std::int64_t degree = 1;  ///< p, at least 1
};

}  // namespace semblance::pairs
#endif

HWY_BEFORE_NAMESPACE();
namespace semblance::pairs {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = HWY_LANES(float);

template <class V>
HWY_INLINE V square(V x) {
  return x * x;
}

template <class V>
HWY_INLINE V power(V x, std::int64_t degree) {
  V result = x;
  for (std::int64_t i = 1; i < degree; ++i) result = result * x;
  return result;
}

/// The formulas, for a vector of pairs in float32 and for one pair in double.
template <class V>
HWY_INLINE V value(Formula kind, V ac, V ad, V bc, V bd, V order, V half, V offset,
                   std::int64_t degree) {
  const V straight = ac + bd, crossed = ad + bc;
  const V sum = half * (straight + crossed), metric = square(half * (straight - crossed));
  const V tensor = half * (ac * bd + ad * bc);
  switch (kind) {
    case Formula::polynomial_direct_sum:
      return power(straight + offset, degree);
    case Formula::polynomial_tensor:
      return power(ac * bd + offset, degree);
    case Formula::symmetric_direct_sum:
      return sum;
    case Formula::metric_learning:
      return metric;
    case Formula::tensor_learning:
      return tensor;
    case Formula::asymmetric_tensor:
      return square(half * (ac * bd - ad * bc));
    case Formula::direct_sum:
      return sum + metric;
    case Formula::tensor_metric_learning:
      return tensor + metric;
    case Formula::ordered_representation:
      return power(straight + crossed + order * (straight - crossed) + offset, degree);
  }
  return sum;
}

/// One kind's values, in whole vectors, and for the remainder through the stack.
template <Formula kind>
void fill(const PairFormula& f, const StandardKernelColumns& k, float* HWY_RESTRICT out) {
  const Tag d;
  const Vec half = hn::Set(d, 0.5F), offset = hn::Set(d, static_cast<float>(f.offset));
  const auto of = [&](const auto& load) HWY_ATTR {
    const Vec order = k.order ? load(k.order) : half;
    return value(kind, load(k.ac), load(k.ad), load(k.bc), load(k.bd), order, half, offset,
                 f.degree);
  };
  std::size_t j = 0;
  for (; j + lanes <= k.count; j += lanes)
    hn::StoreU(of([&](const float* p) HWY_ATTR { return hn::LoadU(d, p + j); }), d, out + j);
  if (j == k.count) return;
  HWY_ALIGN float rest[lanes] = {};
  const auto load = [&](const float* p) HWY_ATTR {
    HWY_ALIGN float values[lanes] = {};
    std::copy_n(p + j, k.count - j, values);
    return hn::Load(d, values);
  };
  hn::Store(of(load), d, rest);
  std::copy_n(rest, k.count - j, out + j);
}

template <std::size_t... kinds>
void choose(const PairFormula& f, const StandardKernelColumns& k, float* out,
            std::index_sequence<kinds...>) {
  constexpr std::array fills = {&fill<static_cast<Formula>(kinds)>...};
  fills[static_cast<std::size_t>(f.kind)](f, k, out);
}

void columns(const PairFormula& f, const StandardKernelColumns& k, float* out) {
  choose(f, k, out, std::make_index_sequence<formulas>());
}

double single(const PairFormula& f, const StandardKernelValues& k) {
  return value(f.kind, k.ac, k.ad, k.bc, k.bd, k.order, 0.5, f.offset, f.degree);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::pairs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::pairs {
namespace {

HWY_EXPORT(columns);
HWY_EXPORT(single);

/// What distinguishes the kernels beside their formulas.
struct About {
  const char* id;
  const char* summary;
  const char* equation;  ///< of the paper
  bool symmetric = true, even = false, translation_invariant = false;
  std::optional<PairKernelSum::Weights> weights = {};  ///< of a sum without powers
};

/// By Formula.
constexpr std::array<About, formulas> kernels = {{
    {"pair_kernel/polynomial_direct_sum",
     "K_PS = (k(a,c) + k(b,d) + r)^p: not symmetric; solvers train on both orders of a pair or on "
     "the symmetric part",
     "eq. (3a)", false},
    {"pair_kernel/polynomial_tensor",
     "K_PT = (k(a,c) k(b,d) + r)^p: not symmetric; solvers train on both orders of a pair or on "
     "the symmetric part",
     "eq. (3b)", false},
    {"pair_kernel/symmetric_direct_sum",
     "K_SD = 1/2 (k(a,c) + k(a,d) + k(b,c) + k(b,d)): sees only the midpoint of a pair", "eq. (3c)",
     true, false, true, PairKernelSum::Weights{1, 0, 0}},
    {"pair_kernel/metric_learning",
     "K_ML = 1/4 (k(a,c) - k(a,d) - k(b,c) + k(b,d))^2: sees only the difference of a pair, like a "
     "Mahalanobis distance",
     "eq. (3d)", true, true, true, PairKernelSum::Weights{0, 1, 0}},
    {"pair_kernel/tensor_learning",
     "K_TL = 1/2 (k(a,c) k(b,d) + k(a,d) k(b,c)): the symmetric part of the tensor product",
     "eq. (3e)", true, true, false, PairKernelSum::Weights{0, 0, 1}},
    {"pair_kernel/asymmetric_tensor",
     "K_AT = 1/4 (k(a,c) k(b,d) - k(a,d) k(b,c))^2: the antisymmetric part of the tensor product, "
     "squared",
     "eq. (3f)", true, true},
    {"pair_kernel/direct_sum", "K_DS = K_SD + K_ML: midpoint and difference", "eq. (3g)", true,
     false, true, PairKernelSum::Weights{1, 1, 0}},
    {"pair_kernel/tensor_metric_learning", "K_TM = K_TL + K_ML: tensor product and difference",
     "eq. (3h)", true, true, false, PairKernelSum::Weights{0, 1, 1}},
    {"pair_kernel/ordered_representation",
     "(<u, v> + r)^p of the representations u = (a + b, sgn(a_1 - b_1) (a - b)): symmetric",
     "Remark 3"},
}};

template <Formula kind>
class FormulaKernel final : public PairKernel {
 public:
  static Declaration<FormulaKernel> declare();
  Similarity& standard_kernel() const noexcept override { return *kernel_; }
  double evaluate(const StandardKernelValues& k) const noexcept override {
    return HWY_DYNAMIC_DISPATCH(single)({kind, offset_, degree_}, k);
  }
  void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept override {
    HWY_DYNAMIC_DISPATCH(columns)({kind, offset_, degree_}, k, out);
  }
  bool symmetric() const noexcept override { return about.symmetric; }
  bool ordered() const noexcept override { return kind == Formula::ordered_representation; }
  bool even() const noexcept override {
    return about.even || kind == Formula::polynomial_tensor ||
           (is_power && offset_ == 0 && degree_ % 2 == 0);
  }
  bool translation_invariant() const noexcept override {
    return about.translation_invariant || (kind == Formula::polynomial_direct_sum && degree_ == 1);
  }
  std::optional<PairKernelSum> symmetric_sum() const override;

 private:
  static constexpr const About& about = kernels[static_cast<std::size_t>(kind)];
  /// (u + r)^p
  static constexpr bool is_power = kind == Formula::polynomial_direct_sum ||
                                   kind == Formula::polynomial_tensor ||
                                   kind == Formula::ordered_representation;

  std::unique_ptr<Similarity> kernel_;
  double offset_ = 0;
  std::int64_t degree_ = kind == Formula::polynomial_direct_sum ? 2 : 1;
};

template <Formula kind>
Declaration<FormulaKernel<kind>> FormulaKernel<kind>::declare() {
  const std::string id = about.id;
  const std::string example =
      "vectors: {is: source/double_interval, dimension: 40, "
      "task: interexample, classes: 15, examples_per_class: 4, least_examples: 20}\n"
      "pairs:   {is: pairs/all, from: vectors}\n"
      "svm:     {is: solver/pairwise_svm, kernel: {is: " +
      id +
      "}, from: vectors, pairs: pairs}\n"
      "test:    {is: evaluator/verification, from: svm}";
  Declaration<FormulaKernel> declaration(id, about.summary);
  declaration.documentation("Compares the pairs (a, b) and (c, d); k is the standard kernel.")
      .example(example)
      .complexity("a few operations per value once the standard kernel's values are known")
      .reference(std::string("Brunner, Fischer, Luig, Thies: Pairwise Kernels, Support Vector "
                             "Machines, and the Application to Large Scale Problems, 2011, ") +
                 about.equation)
      .parameter("kernel", &FormulaKernel::kernel_, "the standard kernel k, between examples",
                 default_component("similarity/linear"));
  if (is_power)
    declaration
        .parameter("r", &FormulaKernel::offset_,
                   "added before the power: the larger, the more lower powers count; negative "
                   "values would not give a kernel",
                   at_least(0))
        .parameter("p", &FormulaKernel::degree_, "the exponent", at_least(1), at_most(20));
  if (kind == Formula::ordered_representation)
    declaration
        .documentation(
            "Remark 3 (Bar-Hillel et al. 2004). a_1 is the first value of an example's row. If a_1 "
            "= b_1, the sign is 0 and the difference is ignored: put a value first that differs "
            "between examples.")
        .example(R"(
        points: {is: source/checkerboard, side: 4, task: interexample, classes: 12, examples_per_class: 4}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/ordered_representation}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  return declaration;
}

/// With x = k(a,c), y = k(b,d): (x + y + r)^2 = x^2 + y^2 + 2 x y + 2 r (x + y) + r^2, whose
/// symmetric part is K_SD on k^2, 2 K_TL, 2 r K_SD and r^2; and (x y + r)^2 = x^2 y^2 + 2 r x y +
/// r^2, whose symmetric part is K_TL on k^2, 2 r K_TL and r^2.
template <Formula kind>
std::optional<PairKernelSum> FormulaKernel<kind>::symmetric_sum() const {
  if (about.weights) return PairKernelSum{*about.weights, {}, 0};
  if (!is_power || kind == Formula::ordered_representation || degree_ > 2) return std::nullopt;
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

template <Formula kind>
ComponentEntry entry() {
  return FormulaKernel<kind>::declare().entry();
}

}  // namespace

ComponentEntry declare_asymmetric_tensor() { return entry<Formula::asymmetric_tensor>(); }
ComponentEntry declare_direct_sum() { return entry<Formula::direct_sum>(); }
ComponentEntry declare_metric_learning() { return entry<Formula::metric_learning>(); }
ComponentEntry declare_ordered_representation() { return entry<Formula::ordered_representation>(); }
ComponentEntry declare_polynomial_direct_sum() { return entry<Formula::polynomial_direct_sum>(); }
ComponentEntry declare_polynomial_tensor() { return entry<Formula::polynomial_tensor>(); }
ComponentEntry declare_symmetric_direct_sum() { return entry<Formula::symmetric_direct_sum>(); }
ComponentEntry declare_tensor_learning() { return entry<Formula::tensor_learning>(); }
ComponentEntry declare_tensor_metric_learning() { return entry<Formula::tensor_metric_learning>(); }

}  // namespace semblance::pairs
#endif
