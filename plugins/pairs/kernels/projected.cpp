// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairs {
namespace {

/// `pair_kernel/projected`: K(P(a, b), P(c, d)) for a pair kernel K and a projection P of pairs,
/// P_ML(a, b) = 1/2 (a - b, b - a) if K is even (Theorem 2), or P_SD(a, b) = 1/2 (a + b, a + b).
class Projected final : public PairKernel {
 public:
  static Declaration<Projected> declare() {
    return Declaration<Projected>("pair_kernel/projected",
                                  "A pair kernel made symmetric by projecting pairs")
        .documentation(
            "`difference` is P_ML(a, b) = 1/2 (a - b, b - a): the inner kernel must not change "
            "when one of its pairs changes sign, eq. (6), like K_PS with r = 0 and even p. `sum` "
            "is P_SD(a, b) = 1/2 (a + b, a + b), which works with any kernel and sees only the "
            "midpoint. The projections are those of the standard kernel's feature space (Remark "
            "4).")
        .reference("Brunner, Fischer, Luig, Thies 2011, Theorem 2")
        .complexity("that of the inner kernel")
        .parameter("of", &Projected::of_, "the kernel of the projected pairs",
                   default_component("pair_kernel/polynomial_direct_sum"))
        .parameter("projection", &Projected::projection_, "what to keep of a pair",
                   choices({"difference", "sum"}))
        .example(R"(
        vectors: {is: source/double_interval, dimension: 40, task: interexample, classes: 15, examples_per_class: 4, least_examples: 20}
        pairs:   {is: pairs/all, from: vectors}
        svm:     {is: solver/pairwise_svm, kernel: {is: pair_kernel/projected, of: {is: pair_kernel/polynomial_tensor}}, from: vectors, pairs: pairs}
        test:    {is: evaluator/verification, from: svm})");
  }

  void check_parameters() const override {
    if (of_->ordered())
      throw Error(
          "pair_kernel/projected cannot use a kernel that depends on the order of the examples' "
          "first values, which projected pairs do not have; use another one as `of`");
    if (difference() && !of_->even())
      throw Error(
          "with projection: difference, the kernel `of` must not change with the sign of a pair "
          "(eq. (6)): set r: 0 and an even p, or projection: sum");
  }

  Similarity& standard_kernel() const noexcept override { return of_->standard_kernel(); }

  double evaluate(const StandardKernelValues& k) const noexcept override {
    // 1/4 <a -+ b, c -+ d>: between the first elements, and between the second; with P_ML the other
    // two are the negative.
    const double straight = k.ac + k.bd, crossed = k.ad + k.bc;
    const double own = (difference() ? straight - crossed : straight + crossed) / 4;
    const double other = difference() ? -own : own;
    return of_->evaluate({own, other, other, own, 0});
  }

  void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept override {
    constexpr std::size_t at_once = 256;
    float own[at_once], other[at_once];
    const float sign = difference() ? -1.0F : 1.0F;
    for (std::size_t first = 0; first < k.count; first += at_once) {
      const std::size_t count = std::min(at_once, k.count - first);
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t at = first + j;
        own[j] = 0.25F * ((k.ac[at] + k.bd[at]) + sign * (k.ad[at] + k.bc[at]));
        other[j] = sign * own[j];
      }
      of_->evaluate_columns({own, other, other, own, nullptr, count}, out + first);
    }
  }

  bool symmetric() const noexcept override { return true; }
  bool even() const noexcept override { return of_->even(); }
  bool translation_invariant() const noexcept override {
    return difference() || of_->translation_invariant();
  }

 private:
  bool difference() const noexcept { return projection_ == "difference"; }

  std::unique_ptr<PairKernel> of_;
  std::string projection_ = "difference";
};

}  // namespace

ComponentEntry declare_projected() { return Projected::declare().entry(); }

}  // namespace semblance::pairs
