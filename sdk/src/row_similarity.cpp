// SPDX-License-Identifier: MIT
#include "semblance/row_similarity.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "row_checks.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

using namespace basis_checks;
using namespace row_checks;

namespace {

/// The number of bases compared with one row after the other: they fit into the first-level cache
/// and are few enough to notice a stop soon if a pair takes quadratic time.
std::size_t bases_at_once(MatrixView bases) {
  const std::size_t values = bases.values() / std::max<std::size_t>(bases.rows, 1);
  return std::max<std::size_t>(4096 / std::max<std::size_t>(values, 1), 1);
}

/// "value 5 of the basis is infinite; ...", if the only row has such a value.
std::string blame(MatrixView row, const char* which) {
  const std::span<const float> values = row.row_span(0);
  const std::size_t k = first_not_finite(values);
  if (k == values.size()) return "";
  return ": value " + std::to_string(row.sparse() ? row.columns_of(0)[k] : k) + " of the " + which +
         " " + is_what(values[k]) + "; remove or replace such values";
}

/// Why the similarity of two rows is not finite, and what to do.
std::string cause(MatrixView b, MatrixView x) {
  if (std::string text = blame(x, "row"); !text.empty()) return text;
  if (std::string text = blame(b, "basis"); !text.empty()) return text;
  return ", though all their values are finite; scale the samples, or make compare() return a "
         "finite number";
}

}  // namespace

void RowSimilarityBase::prepare(const Layout& input) {
  check_has_values(input);
  if (!takes_sparse()) refuse_sparse(input);
  check_layout(input);
  layout_ = input;
}

double RowSimilarityBase::operations() const noexcept {
  return 3.0 * static_cast<double>(layout_.size());
}

void RowSimilarityBase::keep(FloatMatrix bases) {
  check_not_empty(bases.view());
  bases_ = std::move(bases);
}

void RowSimilarityBase::set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) {
  if (bases.cols != layout_.size())
    throw Error("the bases have " + std::to_string(bases.cols) + " values, the samples " +
                std::to_string(layout_.size()) + "; both must come from the same features");
  check_rows(bases, layout_, RowError::Of::bases);
  keep(FloatMatrix(bases));
}

void RowSimilarityBase::kept_basis(std::size_t basis, std::span<float> row) const {
  const MatrixView bases = bases_.view();
  const auto values = bases.row_span(basis);
  std::ranges::fill(row, 0.0F);
  for (std::size_t k = 0; k < values.size(); ++k)
    row[bases.sparse() ? bases.columns_of(basis)[k] : k] = values[k];
}

void RowSimilarityBase::save(StateWriter& state) const { state.floats("bases", bases_.view()); }

void RowSimilarityBase::load(const StateReader& state, Context&) {
  FloatMatrix bases = saved_bases(state, layout_);
  check_rows(bases.view(), layout_, RowError::Of::bases);
  keep(std::move(bases));
}

void RowSimilarityBase::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_room(bases(), out);
  apply_range(in, 0, out, context);
}

void RowSimilarityBase::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                                    Context& context) const {
  check_range(bases(), first, out);
  if (in.cols != layout_.size() || out.rows != in.rows)
    throw Error("cannot compare " + std::to_string(in.rows) + " rows of " +
                std::to_string(in.cols) + " values with bases of " +
                std::to_string(layout_.size()) + " values into " + std::to_string(out.rows) +
                " rows of results");
  check_rows(in, layout_, RowError::Of::block);
  const std::size_t group = bases_at_once(std::as_const(bases_).view());
  for (std::size_t j = 0; j < out.cols; j += group) {
    const MatrixView bases =
        std::as_const(bases_).view().rows_range(first + j, std::min(group, out.cols - j));
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      const MatrixView x = in.rows_range(i, 1);
      const std::span<float> values(out.row(i) + j, bases.rows);
      in_row(i, [&] { compare_all(bases, x, values.data()); });
      if (all_finite(values)) continue;
      const std::size_t bad = first_not_finite(values);
      throw RowError(
          RowError::Of::block, i,
          "the similarity of basis " + std::to_string(first + j + bad) + " and ",
          " (both counted from 0) " + is_what(values[bad]) + cause(bases.rows_range(bad, 1), x));
    }
  }
}

void RowSimilarityBase::compare_with_itself(MatrixView rows, float* values) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const MatrixView x = rows.rows_range(i, 1);
    in_row(i, [&] { compare_all(x, x, values + i); });
    if (!std::isfinite(values[i]))
      throw RowError(RowError::Of::block, i, "the similarity of ",
                     " (counted from 0) and itself " + is_what(values[i]) + cause(x, x));
  }
}

}  // namespace semblance
