// SPDX-License-Identifier: MIT
#include "panel_similarity.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "semblance/basis_checks.hpp"
#include "semblance/row_error.hpp"

namespace semblance::strings {
namespace {

/// For calls without a context, which are short.
class NoStop final : public Context {
 public:
  void log(LogLevel, std::string_view) override {}
  Random random() const override { return Random(0); }
  StopReason stop_requested() const noexcept override { return StopReason::none; }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return 0; }
  std::size_t threads() const noexcept override { return 1; }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
};

}  // namespace

double cosine(double score, const StringSide& basis, const StringSide& row) {
  const double scale = std::sqrt(basis.self) * std::sqrt(row.self);
  return scale > 0 ? score / scale : 0;
}

void PanelSimilarity::prepare(const Layout& input) {
  check_alphabet(input);
  prepare_alphabet(input);
  layout_ = input;
}

void PanelSimilarity::check_strings(MatrixView rows, RowError::Of of) const {
  if (rows.cols != layout_.size() || !rows.ragged())
    throw Error("cannot compare rows of up to " + std::to_string(rows.cols) +
                " values with samples that are each a " + describe(layout_) +
                "; both must come from the same features");
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (rows.size(i) == 0) throw RowError(of, i, "", " (counted from 0) is empty; remove it");
}

SymbolCodes PanelSimilarity::codes() const { return SymbolCodes(symbols_of(layout_).size()); }

StringSide PanelSimilarity::side(MatrixView row, Context& context) const {
  StringSide result{row.size(0), 0};
  if (needs_self())
    scores(PackedStrings(row, codes()), 0, 1, row, context,
           [&](std::size_t, std::size_t, double score) { result.self = score; });
  return result;
}

void PanelSimilarity::keep(FloatMatrix bases, Context& context) {
  basis_checks::check_not_empty(bases.view());
  check_strings(bases.view(), RowError::Of::bases);
  bases_ = std::move(bases);
  const MatrixView rows = std::as_const(bases_).view();
  packed_ = PackedStrings(rows, codes());
  sides_.assign(rows.rows, {});
  context.parallel_for(rows.rows,
                       [&](std::size_t j) { sides_[j] = side(rows.rows_range(j, 1), context); });
}

void PanelSimilarity::set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) {
  keep(FloatMatrix(bases), context);
}

void PanelSimilarity::save(StateWriter& state) const { state.floats("bases", bases_.view()); }

void PanelSimilarity::load(const StateReader& state, Context& context) {
  keep(state.floats("bases"), context);
}

void PanelSimilarity::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  basis_checks::check_room(bases(), out);
  apply_range(in, 0, out, context);
}

void PanelSimilarity::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                                  Context& context) const {
  basis_checks::check_range(bases(), first, out);
  if (out.rows != in.rows)
    throw Error("there are " + std::to_string(in.rows) + " rows, but room for the results of " +
                std::to_string(out.rows));
  check_strings(in, RowError::Of::block);
  if (out.cols == 0) return;
  std::vector<StringSide> rows(in.rows);
  for (std::size_t i = 0; i < in.rows; ++i) rows[i] = side(in.rows_range(i, 1), context);
  scores(packed_, first, out.cols, in, context, [&](std::size_t i, std::size_t j, double score) {
    const double value = normalized(score, sides_[first + j], rows[i]);
    if (!std::isfinite(static_cast<float>(value)))
      throw RowError(RowError::Of::block, i,
                     "the similarity of basis " + std::to_string(first + j) + " and ",
                     " (both counted from 0) is too large for float32; normalize it");
    out.row(i)[j] = static_cast<float>(value);
  });
}

void PanelSimilarity::compare_with_itself(MatrixView rows, float* values) const {
  check_strings(rows, RowError::Of::block);
  NoStop context;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const MatrixView row = rows.rows_range(i, 1);
    const StringSide both = side(row, context);
    scores(PackedStrings(row, codes()), 0, 1, row, context,
           [&](std::size_t, std::size_t, double score) {
             values[i] = static_cast<float>(normalized(score, both, both));
           });
  }
}

}  // namespace semblance::strings
