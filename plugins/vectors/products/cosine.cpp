// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = <b, x> / (|b| |x|), and 0 where b or x is zero.
class Cosine final : public ProductMeasure<Cosine> {
 public:
  static Declaration<Cosine> declare() {
    return Declaration<Cosine>("similarity/cosine", "Cosine of the angle, <b, x> / (|b| |x|)")
        .parameter("precision", &Cosine::precision_, precision_documentation,
                   choices({"fp32", "bf16"}))
        .symmetric()
        .accepts_sparse()
        .documentation(
            "From -1 to 1, and from 0 where no value is negative: 1 for rows of one direction, "
            "whatever their lengths. A row of zeros has no direction: its similarity to every row, "
            "itself included, is 0, which keeps the measure positive semi-definite. Lengths must "
            "be between 1e-15 and 1e18, so that their squares and the products are float32 "
            "numbers.")
        .reference("Salton, Wong, Yang, A vector space model for automatic indexing, 1975")
        .complexity(
            "2d + 3 operations per pair for d values; one packed matrix product per block. Sparse "
            "samples: a fraction of that, as only values other than 0 are multiplied; 16 bytes per "
            "value of the bases")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/cosine, from: hog, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  template <class T>
  T value(T product, T of_b, T of_x) const {
    using std::sqrt;
    const T both = sqrt(of_b) * sqrt(of_x);
    return if_positive(both, product / both, static_cast<T>(0));
  }
  double operations() const noexcept override { return 2 * columns() + 3; }

  void compare_with_itself(MatrixView rows, float* values) const override {
    const std::vector<double> inverse = inverse_norms(rows, RowError::Of::block);
    for (std::size_t i = 0; i < rows.rows; ++i) values[i] = inverse[i] > 0 ? 1.0F : 0.0F;
  }

  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override {
    inverse_norms_ = inverse_norms(bases, RowError::Of::bases);
  }

  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    const std::vector<double> inverse = inverse_norms(in, RowError::Of::block);
    inner_products(in, first, out, context);
    const double* of_bases = inverse_norms_.data() + first;
    for (std::size_t i = 0; i < out.rows; ++i) {
      float* values = out.row(i);
      // In double, so that a row with itself gives exactly 1.
      for (std::size_t j = 0; j < out.cols; ++j) {
        const double cosine = double{values[j]} * (inverse[i] * of_bases[j]);
        values[j] = static_cast<float>(std::clamp(cosine, -1.0, 1.0));
      }
    }
  }

  /// 1 / |row|, and 0 for a row of zeros. Throws Error if |row|^2 overflows float32.
  std::vector<double> inverse_norms(MatrixView rows, RowError::Of of) const {
    // Products of lengths from 1e-15 on lose nothing relevant to underflow, and up to 1e18 none
    // overflows.
    constexpr float least = 1e-30F, most = 1e36F;
    std::vector<float> squares(rows.rows);
    squared_norms(rows, squares.data());
    std::vector<double> inverse(rows.rows);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const auto values = rows.row_span(i);
      if (std::ranges::all_of(values, [](float x) { return x == 0; })) continue;
      if (!(squares[i] >= least && squares[i] <= most))
        throw RowError(of, i, "the length of ",
                       std::string(" (counted from 0) is ") +
                           (std::isnan(squares[i]) ? "NaN"
                            : squares[i] < least   ? "below 1e-15"
                                                   : "above 1e18") +
                           ", and its cosines would be wrong; scale the samples");
      inverse[i] = 1 / std::sqrt(double{squares[i]});
    }
    return inverse;
  }

  std::vector<double> inverse_norms_;  // of the bases
};

}  // namespace

ComponentEntry declare_cosine() { return Cosine::declare().entry(); }

}  // namespace semblance::vectors
