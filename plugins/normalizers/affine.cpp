// SPDX-License-Identifier: MIT
#include "affine.hpp"

#include <string>

#include "row_kernels.hpp"
#include "sparse_rows.hpp"

namespace semblance::normalizers {

Layout AffineNormalizer::bind(const Layout& input) {
  if (input.kind == LayoutKind::sparse) check_keeps_zeros();
  cols_ = input.size();
  return input;
}

void AffineNormalizer::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_width(offset_.size(), in.cols);
  if (in.sparse()) return scale_sparse(in, scale_.data(), out);
  affine(in, {offset_.high(), offset_.low()}, scale_.data(), shift(), out);
}

void AffineNormalizer::set(std::span<const double> offset, std::span<const double> scale) {
  check_width(cols_, offset.size());
  offset_ = Centre(offset);
  scale_.assign(scale.begin(), scale.end());
}

void AffineNormalizer::save(StateWriter& state) const {
  offset_.save(state, "offset");
  state.floats("scale", {scale_.data(), 1, scale_.size(), scale_.size()});
}

void AffineNormalizer::load(const StateReader& state, Context&) {
  Centre offset = Centre::load(state, "offset");
  FloatMatrix scale = state.floats("scale");
  check_width(cols_, offset.size());
  check_width(cols_, scale.values.size());
  offset_ = std::move(offset);
  scale_ = std::move(scale.values);
}

Formula::Value AffineNormalizer::write(Formula& formula, Formula::Value in) const {
  check_width(offset_.size(), formula.width(in));
  const auto centred = offset_.subtract(formula, in);
  const auto scaled = formula.multiply(centred, formula.constant(std::span<const float>(scale_)));
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
