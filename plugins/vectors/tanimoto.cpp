// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "bit_rows.hpp"
#include "histogram_kernels.hpp"
#include "plain_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = sum_k min(b_k, x_k) / sum_k max(b_k, x_k), and 1 where both are zero. The sum of
/// maxima is that of b plus that of x less that of minima. Positive semi-definite: an expectation
/// of indicators of one equal draw (Ioffe 2010); the zero row is orthogonal to all others.
class Tanimoto final : public StoredBases, public Exportable {
 public:
  static Declaration<Tanimoto> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  std::vector<float> sums_;      // of the bases' values
  std::optional<BitRows> bits_;  // if all values are 0 or 1 and this is the faster form
};

Declaration<Tanimoto> Tanimoto::declare() {
  return Declaration<Tanimoto>("similarity/tanimoto",
                               "Tanimoto (Jaccard, Ruzicka): sum of min(b, x) / sum of max(b, x)")
      .symmetric()
      .accepts_sparse()
      .documentation(
          "From 0 to 1. On values of 0 and 1 it is |b and x| / |b or x|, the measure of chemical "
          "fingerprints, counted in machine words; on counts it is the min-max kernel. Values must "
          "not be negative. Two rows of zeros have similarity 1, as two empty bit vectors have in "
          "RDKit (whose count vectors give 0 then, with themselves too).")
      .reference(
          "Tanimoto 1958; Ralaivola, Swamidass, Saigo and Baldi 2005 (min-max); Bouchard, "
          "Jousselme "
          "and Doré 2013 (positive definite)")
      .complexity(
          "2d operations per pair for d values; bits: 3 operations per pair and vector of values, "
          "512 of them with AVX-512. Sparse samples: only columns in which both rows have values")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        lbp:    {is: feature/lbp, cell: 7, from: glyphs}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/tanimoto, from: lbp, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

double Tanimoto::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 3.0;
}

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

void Tanimoto::learn(MatrixView bases) {
  check_histograms(bases, "tanimoto", RowError::Of::bases);
  sums_.resize(bases.rows);
  row_sums(bases, sums_.data());
  bits_.reset();
  if (!sparse() || bits_pay(indexed())) bits_ = BitRows::of(bases, BitRows::Side::bases);
}

void Tanimoto::compare_with_itself(MatrixView rows, float* values) const {
  row_sums(rows, values);
  for (std::size_t i = 0; i < rows.rows; ++i)
    values[i] = values[i] == 0 ? 1 : values[i] / values[i];
}

void Tanimoto::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j) {
    const double all =
        plain_sum(bases, j, x, false, [](double b, double y) { return std::max(b, y); });
    const double common =
        plain_sum(bases, j, x, false, [](double b, double y) { return std::min(b, y); });
    values[j] = all == 0 ? 1 : common / all;
  }
}

void Tanimoto::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                       Context& context) const {
  if (bits_)
    if (const auto samples = BitRows::of(in, BitRows::Side::samples))
      return bit_tanimoto(*samples, *bits_, first, out, context);
  check_histograms(in, "tanimoto");
  if (sparse())
    histogram_sums(HistogramSum::intersection, in, indexed(), first, out, context);
  else
    histogram_sums(HistogramSum::intersection, in, packed(), first, out, context);
  std::vector<float> sums(in.rows);
  row_sums(in, sums.data());
  for (std::size_t i = 0; i < out.rows; ++i) {
    float* const values = out.row(i);
    for (std::size_t j = 0; j < out.cols; ++j) {
      const double both = values[j];
      const double either = double{sums[i]} + double{sums_[first + j]} - both;
      values[j] = either == 0 ? 1.0F : static_cast<float>(both / either);
    }
  }
}

Formula::Value Tanimoto::write(Formula& formula, Formula::Value in) const {
  const auto x = written_histogram(formula, in);
  const auto both = formula.widen(formula.intersections(x, exported_bases().view()));
  const auto sums = formula.widen(formula.constant(std::span(sums_)));
  const auto of_x = formula.sum(formula.widen(x));
  const auto either = formula.subtract(formula.add(sums, of_x), both);
  const auto least = formula.number(std::numeric_limits<float>::denorm_min(), either);
  const auto one = formula.number(1, either);
  // NaN is not below `least` and stays.
  return formula.narrow(formula.where_greater(least, either, one, formula.divide(both, either)));
}

}  // namespace

ComponentEntry declare_tanimoto() { return Tanimoto::declare().entry(); }

}  // namespace semblance::vectors
