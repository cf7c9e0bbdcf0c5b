// SPDX-License-Identifier: MIT
#include <string>

#include "kernels/pair_similarity.hpp"

namespace semblance::pairs {
namespace {

/// s((a, b), (c, d)) = k(a, c) g(b, d), or plus or minus k(a, d) k(b, c). A product of kernels is a
/// kernel (Schur); with the exchange of samples as P, which commutes with k x k, the others are
/// (k x k)(I + P) and (k x k)(I - P), twice a projection of it.
class Kronecker final : public PairSimilarity {
 public:
  static Declaration<Kronecker> declare() {
    Declaration<Kronecker> declaration(
        "similarity/kronecker",
        "Product of a similarity of first and one of second samples of pairs");
    declare_sides(declaration, "similarity")
        .parameter("sides", &Kronecker::sides_,
                   "ordered: k(a, c) g(b, d); symmetric: for pairs of one domain whose order has "
                   "no meaning, k(a, c) k(b, d) + k(a, d) k(b, c); antisymmetric: for those whose "
                   "label changes its sign with the order, with a minus",
                   choices({"ordered", "symmetric", "antisymmetric"}))
        .documentation(
            "The similarity of the basis (a, b) and the pair (c, d), which come from source/pairs. "
            "The similarities of distinct samples are computed once and then multiplied, so that a "
            "pair costs one product, whatever its samples are. Each part may be any similarity "
            "that takes such samples; similarity/precomputed takes the columns of its samples' "
            "numbers in their own source. Positive semi-definite if the parts are.\n\nWidths "
            "learned from samples (`gamma: scale` of similarity/rbf) are learned from the distinct "
            "samples of a side. solver/kronecker_ridge trains on this similarity without the "
            "matrix of all pairs.")
        .reference(
            "Basilico and Hofmann 2004; Ben-Hur and Noble 2005 (symmetric); Pahikkala et al. 2010 "
            "(antisymmetric)")
        .complexity(
            "one operation per pair and basis, three for one domain, besides the similarities of "
            "the distinct samples")
        .example(R"(
        pairs:
          is: source/pairs
          path: affinities.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          target: affinity
          test_fraction: 0.25
        ridge:
          is: solver/kernel_ridge
          kernel:
            is: similarity/kronecker
            first:  {is: similarity/rbf, gamma: 0.5}
            second: {is: similarity/rbf, gamma: 0.1}
          from: pairs
        test: {is: evaluator/regression, from: ridge})");
    return declaration;
  }

 private:
  bool joint() const noexcept override { return sides_ != "ordered"; }

  void combine(MatrixView in, std::size_t first, const std::array<Compared, 2>& sides,
               MutableMatrixView out) const override {
    const std::uint32_t* const a = of(Side::first).data() + first;
    const std::uint32_t* const b = of(Side::second).data() + first;
    const Compared &k = sides[0], &g = sides[1];
    if (!joint()) {
      for (std::size_t i = 0; i < in.rows; ++i) {
        const float* const ki = k.values.values.data() + k.of[i] * k.values.cols;
        const float* const gi = g.values.values.data() + g.of[i] * g.values.cols;
        float* const values = out.row(i);
        for (std::size_t j = 0; j < out.cols; ++j)
          values[j] = ki[a[j] - k.first] * gi[b[j] - g.first];
      }
      return;
    }
    const double sign = sides_ == "symmetric" ? 1 : -1;
    for (std::size_t i = 0; i < in.rows; ++i) {
      const float* const c = k.values.values.data() + k.of[2 * i] * k.values.cols;
      const float* const d = k.values.values.data() + k.of[2 * i + 1] * k.values.cols;
      float* const values = out.row(i);
      for (std::size_t j = 0; j < out.cols; ++j)
        values[j] =
            static_cast<float>(double{c[a[j]]} * d[b[j]] + sign * double{d[a[j]]} * c[b[j]]);
    }
  }

  std::string sides_ = "ordered";
};

}  // namespace

ComponentEntry declare_kronecker() { return Kronecker::declare().entry(); }

}  // namespace semblance::pairs
