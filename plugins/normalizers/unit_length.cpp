// SPDX-License-Identifier: MIT
#include <algorithm>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "row_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

/// Divides each row by its own l2 norm, after centring where asked for.
class UnitLength final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override {
    if (center_ && input.kind == LayoutKind::sparse)
      throw Error(
          "'center: true' would make sparse vectors dense; omit it, or put feature/dense before "
          "it");
    cols_ = input.size();
    centre_ = Centre(std::vector<double>(input.kind == LayoutKind::sparse ? 0 : cols_));
    return input;
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols_, training.rows.cols());
    if (!center_) return;
    centre_ = Centre(column_means(training.rows, context));
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    check_width(cols_, in.cols);
    const double* centre = centre_.values();
    for (std::size_t i = 0; i < in.rows; ++i) {
      if (in.sparse()) {
        apply_sparse(in.rows_range(i, 1), i, out.rows_range(i, 1));
        continue;
      }
      const float* x = in.row(i);
      float* y = out.row(i);
      check_finite(x, in.cols, i, RowError::Of::block);
      const double norm = centred_norm(x, centre, in.cols);
      const double scale = norm > 0 ? 1 / norm : 0.0;  // in double: tiny rows must not overflow
      for (std::size_t c = 0; c < in.cols; ++c)
        y[c] = static_cast<float>((double(x[c]) - centre[c]) * scale);
    }
  }

  void save(StateWriter& state) const override { centre_.save(state, "centre"); }

  void load(const StateReader& state, Context&) override {
    Centre centre = Centre::load(state, "centre");
    if (centre_.size() == 0) return;  // sparse rows; older models have zeros for them
    check_width(cols_, centre.size());
    centre_ = std::move(centre);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    Formula::Value x = formula.widen(in);
    if (center_) x = centre_.subtract(formula, x);
    const auto norm = formula.square_root(formula.sum(formula.multiply(x, x)));
    const auto zero = formula.number(0, norm), one = formula.number(1, norm);
    const auto scale = formula.where_greater(norm, zero, formula.divide(one, norm), zero);
    return formula.narrow(formula.multiply(x, scale));
  }

  static Declaration<UnitLength> declare() {
    return Declaration<UnitLength>("normalizer/unit_length", "Divides each row by its own l2 norm")
        .parameter("center", &UnitLength::center_, "subtract the mean of the training rows first")
        .documentation(
            "A row of zeros stays unchanged. A word that has no column, as source/text does not "
            "know it, does not count for the length.")
        .complexity("apply: two passes over a row in cache; fit: one pass if centred")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .accepts_sparse()
        .accepts_sparse_unless("center", "true")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/unit_length, from: hog}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  static void apply_sparse(MatrixView row, std::size_t number, MutableMatrixView out) {
    check_sparse(row, 0, number, RowError::Of::block);
    const auto values = row.row_span(0);
    const double norm = sparse_norm(values);
    const double scale = norm > 0 ? 1 / norm : 0.0;
    std::ranges::copy(row.columns_of(0), out.columns_of(0).begin());
    for (std::size_t k = 0; k < values.size(); ++k)
      out.row(0)[k] = static_cast<float>(double{values[k]} * scale);
  }

  bool center_ = false;
  std::size_t cols_ = 0;
  Centre centre_;  ///< zeros unless center_; none for sparse rows
};

}  // namespace

ComponentEntry declare_unit_length() { return UnitLength::declare().entry(); }

}  // namespace semblance::normalizers
