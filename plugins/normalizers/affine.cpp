// SPDX-License-Identifier: MIT
#include "affine.hpp"

#include <string>
#include <utility>

#include "row_kernels.hpp"
#include "sparse_rows.hpp"

namespace semblance::normalizers {

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

void check_width(std::size_t bound, std::size_t given) {
  if (bound != given)
    throw Error("the normalizer was fitted to rows of " + std::to_string(bound) +
                " values, but these have " + std::to_string(given) +
                "; fit it to samples like those it is applied to");
}

}  // namespace semblance::normalizers
