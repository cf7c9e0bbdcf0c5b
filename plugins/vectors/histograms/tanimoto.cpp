// SPDX-License-Identifier: MIT
#include <optional>

#include "histograms/bit_rows.hpp"
#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"

namespace semblance::vectors {
namespace {

/// Whether counting all columns' bits takes less time than looking up the columns that pairs share,
/// which is also what bounds the memory of the bits by that of the rows.
bool bits_pay(const numerics::IndexedRows& bases) {
  constexpr double columns_a_lookup = 1024, least_columns = 4096;
  double shared = 0;
  for (std::size_t c = 0; c < bases.columns().size(); ++c) {
    const auto share =
        static_cast<double>(bases.column_at(c).rows.size()) / static_cast<double>(bases.rows());
    shared += share * share;
  }
  return static_cast<double>(bases.cols()) <= least_columns + columns_a_lookup * shared;
}

/// s(b, x) = sum_k min(b_k, x_k) / sum_k max(b_k, x_k), and 1 where both are zero. The sum of
/// maxima is that of b plus that of x less that of minima. Positive semi-definite: an expectation
/// of indicators of one equal draw (Ioffe 2010); the zero row is orthogonal to all others.
class Tanimoto final : public HistogramMeasure<Tanimoto> {
 public:
  static constexpr const char* who = "tanimoto";

  static Declaration<Tanimoto> declare() {
    return Declaration<Tanimoto>("similarity/tanimoto",
                                 "Tanimoto (Jaccard, Ruzicka): sum of min(b, x) / sum of max(b, x)")
        .symmetric()
        .accepts_sparse()
        .documentation(
            "From 0 to 1. On values of 0 and 1 it is |b and x| / |b or x|, the measure of chemical "
            "fingerprints, counted in machine words; on counts it is the min-max kernel. Values "
            "must not be negative. Two rows of zeros have similarity 1, as two empty bit vectors "
            "have in RDKit (whose count vectors give 0 then, with themselves too).")
        .reference(
            "Tanimoto 1958; Ralaivola, Swamidass, Saigo and Baldi 2005 (min-max); Bouchard, "
            "Jousselme and Doré 2013 (positive definite)")
        .complexity(
            "2d operations per pair for d values; bits: 3 operations per pair and vector of "
            "values, 512 of them with AVX-512. Sparse samples: only columns in which both rows "
            "have values")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        lbp:    {is: feature/lbp, cell: 7, from: glyphs}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/tanimoto, from: lbp, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  HistogramSum kind() const noexcept { return HistogramSum::intersection; }
  template <class T>
  T value(T both, T of_b, T of_x) const {
    const T either = of_b + of_x - both;
    return if_positive(either, both / either, static_cast<T>(1));
  }
  double operations() const noexcept override { return 2 * columns() + 3; }
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override {
    HistogramMeasure::learn(bases);
    bits_.reset();
    if (!sparse() || bits_pay(indexed())) bits_ = BitRows::of(bases, BitRows::Side::bases);
  }

  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    if (bits_)
      if (const auto samples = BitRows::of(in, BitRows::Side::samples))
        return bit_tanimoto(*samples, *bits_, first, out, context);
    HistogramMeasure::compare(in, first, out, context);
  }

  std::optional<BitRows> bits_;  // if all values are 0 or 1 and this is the faster form
};

}  // namespace

ComponentEntry declare_tanimoto() { return Tanimoto::declare().entry(); }

}  // namespace semblance::vectors
