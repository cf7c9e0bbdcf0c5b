// SPDX-License-Identifier: MIT
#include "projections/projection.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "row_kernels.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::normalizers {
namespace {

void make_largest_positive(std::span<double> direction) {
  double largest = 0;
  for (const double value : direction)
    if (std::abs(value) > std::abs(largest)) largest = value;
  for (double& value : direction) value = largest < 0 ? -value : value;
}

}  // namespace

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                            std::size_t m, std::size_t n, std::size_t k, CBLAS_TRANSPOSE order) {
  std::vector<double> c(m * k);
  cblas_dgemm(
      CblasRowMajor, CblasNoTrans, order, numerics::blas::narrow(m), numerics::blas::narrow(k),
      numerics::blas::narrow(n), 1, a.data(), numerics::blas::narrow(n), b.data(),
      numerics::blas::narrow(order == CblasTrans ? n : k), 0, c.data(), numerics::blas::narrow(k));
  return c;
}

std::vector<double> scatter(const Rows& rows, Context& context,
                            const std::function<bool(const float*, std::size_t, double*)>& write) {
  const std::size_t cols = rows.cols();
  const RowParts parts(rows.rows());
  std::vector<double> total(cols * cols);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    std::vector<double> differences(block_rows * cols);
    visit_blocks(rows, parts, part, context, [&](MatrixView view, std::size_t row) {
      std::size_t used = 0;
      for (std::size_t i = 0; i < view.rows; ++i)
        if (write(view.row(i), row + i, &differences[used * cols])) ++used;
      if (used > 0)
        numerics::blas::add_transposed_square(cols, used, 1.0, differences.data(), cols,
                                              sums.data(), cols);
    });
  });
  for (std::size_t i = 0; i < cols; ++i)
    for (std::size_t j = 0; j < i; ++j) total[j * cols + i] = total[i * cols + j];
  return total;
}

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
  origin_ = Centre(origin);
  shift_.assign(directions_, 0.0f);
}

void Projection::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_width(weights_.cols(), in.cols);
  constexpr std::size_t step = 240;  // whole groups of rows, see numerics::multiply
  FloatMatrix centred(std::min(step, in.rows), in.cols);
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t count = std::min(step, in.rows - first);
    const MutableMatrixView rows = centred.view().rows_range(0, count);
    subtract(in.rows_range(first, count), first, {origin_.high(), origin_.low()}, rows);
    const MutableMatrixView part = out.rows_range(first, count);
    numerics::multiply(rows, weights_, part);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < directions_; ++k) part.row(i)[k] -= shift_[k];
  }
}

/// "shift" used to be one row subtracted from the products; now it is subtracted from rows.
void Projection::save(StateWriter& state) const {
  state.floats("weights", weights_.unpack().view());
  origin_.save(state, "shift");
}

void Projection::load(const StateReader& state, Context&) {
  const FloatMatrix weights = state.floats("weights");
  FloatMatrix shift = state.floats("shift");
  const bool of_products = shift.rows == 1;
  check_width(cols_, weights.cols);
  if (weights.rows != directions_ || shift.cols != (of_products ? directions_ : cols_))
    throw Error("the state has " + std::to_string(weights.rows) + " directions and " +
                std::to_string(shift.cols) + " shifts, not " + std::to_string(directions_) +
                "; fit it again");
  weights_ = numerics::PackedRows(weights.view());
  origin_ = of_products ? Centre(std::vector<double>(cols_)) : Centre::load(state, "shift");
  shift_ = of_products ? std::move(shift.values) : std::vector<float>(directions_);
}

/// In float64: in older models, products and shifts cancel if columns have large means.
Formula::Value Projection::write(Formula& formula, Formula::Value in) const {
  const FloatMatrix weights = weights_.unpack();
  const std::vector<double> wide(weights.values.begin(), weights.values.end());
  const auto centred = origin_.subtract(formula, formula.widen(in));
  const auto shift = formula.widen(formula.constant(std::span<const float>(shift_)));
  return formula.narrow(formula.subtract(formula.products(centred, wide), shift));
}

}  // namespace semblance::normalizers
