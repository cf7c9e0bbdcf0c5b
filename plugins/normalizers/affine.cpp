// SPDX-License-Identifier: MIT
#include "affine.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "row_kernels.hpp"
#include "semblance/error.hpp"

namespace semblance::normalizers {

Centre::Centre(std::span<const double> values) {
  high_.assign(values.begin(), values.end());
  low_.resize(values.size());
  values_.resize(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    low_[c] = static_cast<float>(values[c] - double{high_[c]});
    values_[c] = double{high_[c]} + double{low_[c]};
  }
}

void Centre::save(StateWriter& state, std::string_view name) const {
  FloatMatrix rows(2, size());
  std::ranges::copy(high_, rows.view().row(0));
  std::ranges::copy(low_, rows.view().row(1));
  state.floats(name, std::as_const(rows).view());
}

Centre Centre::load(const StateReader& state, std::string_view name) {
  const FloatMatrix rows = state.floats(name);
  if (rows.rows != 1 && rows.rows != 2)
    throw Error("the state's '" + std::string(name) + "' has " + std::to_string(rows.rows) +
                " rows, not 2; fit it again");
  std::vector<double> values(rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t c = 0; c < rows.cols; ++c) values[c] += double{rows.view().row(i)[c]};
  return Centre(values);
}

Formula::Value Centre::subtract(Formula& formula, Formula::Value in) const {
  if (formula.wide(in))
    return formula.subtract(in, formula.constant(std::span<const double>(values_)));
  const auto near = formula.subtract(in, formula.constant(std::span<const float>(high_)));
  if (std::ranges::all_of(low_, [](float x) { return x == 0; })) return near;
  return formula.subtract(near, formula.constant(std::span<const float>(low_)));
}

Layout AffineNormalizer::bind(const Layout& input) {
  if (input.kind == LayoutKind::sparse) check_keeps_zeros();
  cols_ = input.size();
  return input;
}

void AffineNormalizer::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_width(columns_.width(), in.cols);
  if (in.sparse()) return scale_sparse(in, columns_, scale_.data(), out);
  affine(in, {offset_.high(), offset_.low()}, scale_.data(), shift(), out);
}

void AffineNormalizer::set(numerics::OccurringColumns columns, std::span<const double> offset,
                           std::span<const double> scale) {
  check_width(cols_, columns.width());
  columns_ = std::move(columns);
  offset_ = Centre(offset);
  scale_.assign(scale.begin(), scale.end());
}

void AffineNormalizer::save(StateWriter& state) const {
  columns_.save(state);
  offset_.save(state, "offset");
  state.floats("scale", {scale_.data(), 1, scale_.size(), scale_.size()});
}

void AffineNormalizer::load(const StateReader& state, Context&) {
  auto columns = numerics::OccurringColumns::load(state, cols_);
  Centre offset = Centre::load(state, "offset");
  FloatMatrix scale = state.floats("scale");
  check_width(columns.size(), offset.size());
  check_width(columns.size(), scale.values.size());
  columns_ = std::move(columns);
  offset_ = std::move(offset);
  scale_ = std::move(scale.values);
}

Formula::Value AffineNormalizer::write(Formula& formula, Formula::Value in) const {
  check_width(columns_.width(), formula.row_width(in));
  // Sparse rows, the only ones that lack columns, are never centred.
  const bool whole = columns_.are_all() && formula.width(in) == columns_.width();
  const auto centred = whole ? offset_.subtract(formula, in) : in;
  const std::vector<float> scale =
      columns_.values_at(formula.columns(in), std::span<const float>(scale_), 1.0F);
  const auto scaled = formula.multiply(centred, formula.constant(std::span<const float>(scale)));
  return shift() == 0 ? scaled : formula.add(scaled, formula.number(shift(), scaled));
}

double inverse_spread(double spread) { return spread > 1e-37 ? 1 / spread : 1.0; }

void check_budget(std::size_t needed, const Context& context, const std::string& what,
                  const std::string& remedy) {
  if (needed <= context.memory_budget()) return;
  throw MemoryError(what + " take " + std::to_string(needed) + " bytes, but the memory budget is " +
                    std::to_string(context.memory_budget()) + " bytes; raise --memory or " +
                    remedy);
}

void check_width(std::size_t bound, std::size_t given) {
  if (bound != given)
    throw Error("the normalizer was fitted to rows of " + std::to_string(bound) +
                " values, but these have " + std::to_string(given) +
                "; fit it to samples like those it is applied to");
}

}  // namespace semblance::normalizers
