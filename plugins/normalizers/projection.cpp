// SPDX-License-Identifier: MIT
#include "projection.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "affine.hpp"
#include "row_kernels.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance {
namespace {

void make_largest_positive(std::span<double> direction) {
  double largest = 0;
  for (const double value : direction)
    if (std::abs(value) > std::abs(largest)) largest = value;
  for (double& value : direction) value = largest < 0 ? -value : value;
}

}  // namespace

Layout Projection::bind(const Layout& input) {
  cols_ = input.size();
  directions_ = directions_for(cols_);
  return Layout::vector(directions_);
}

void Projection::set(std::vector<double> directions, std::span<const double> origin) {
  for (std::size_t k = 0; k < directions_; ++k)
    make_largest_positive(std::span(directions).subspan(k * cols_, cols_));
  const std::vector<float> values(directions.begin(), directions.end());
  weights_ = numerics::PackedRows({values.data(), directions_, cols_, cols_});
  shift_.assign(directions_, 0.0f);
  for (std::size_t k = 0; k < directions_; ++k) {
    double inner = 0;
    // With the float32 weights that rows are multiplied with: the origin itself becomes 0.
    for (std::size_t c = 0; c < cols_; ++c) inner += double{values[k * cols_ + c]} * origin[c];
    shift_[k] = static_cast<float>(inner);
  }
}

void Projection::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_width(weights_.cols(), in.cols);
  constexpr std::size_t step = 240;  // whole groups of rows, see numerics::multiply
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t count = std::min(step, in.rows - first);
    for (std::size_t i = first; i < first + count; ++i)
      check_finite(in.row(i), in.cols, i, "of the block");
    const MutableMatrixView part = out.rows_range(first, count);
    numerics::multiply(in.rows_range(first, count), weights_, part);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < directions_; ++k) part.row(i)[k] -= shift_[k];
  }
}

void Projection::save(StateWriter& state) const {
  state.floats("weights", weights_.unpack().view());
  state.floats("shift", {shift_.data(), 1, shift_.size(), shift_.size()});
}

void Projection::load(const StateReader& state, Context&) {
  const FloatMatrix weights = state.floats("weights");
  FloatMatrix shift = state.floats("shift");
  check_width(cols_, weights.cols);
  if (weights.rows != directions_ || shift.values.size() != directions_)
    throw Error("the state has " + std::to_string(weights.rows) + " directions and " +
                std::to_string(shift.values.size()) + " shifts, not " +
                std::to_string(directions_) + "; fit it again");
  weights_ = numerics::PackedRows(weights.view());
  shift_ = std::move(shift.values);
}

/// In float64: where columns have large means, products and shifts cancel each other.
Formula::Value Projection::write(Formula& formula, Formula::Value in) const {
  const FloatMatrix weights = weights_.unpack();
  const std::vector<double> wide(weights.values.begin(), weights.values.end());
  const auto shift = formula.widen(formula.constant(std::span<const float>(shift_)));
  return formula.narrow(formula.subtract(formula.products(formula.widen(in), wide), shift));
}

}  // namespace semblance
