// SPDX-License-Identifier: MIT
#include "newton/tile_products.hpp"

#include <algorithm>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::solvers {
namespace {

using numerics::Vectors;

/// `width` columns of the rows, of which the bias is the last.
Vectors<double> widened(std::span<const float* const> rows, std::size_t cols, double bias,
                        std::size_t first, std::size_t width) {
  Vectors<double> wide(rows.size(), width);
  const std::size_t values = std::min(width, cols - std::min(first, cols));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r] + first, values, wide.row(r));
    if (values < width) wide.row(r)[values] = bias;
  }
  return wide;
}

}  // namespace

void add_tile_products(std::span<const float* const> left, std::span<const float* const> right,
                       std::size_t cols, double bias, double* to, std::size_t stride) {
  const std::size_t all = cols + (bias != 0 ? 1 : 0);
  for (std::size_t first = 0; first < all; first += strip_columns) {
    const std::size_t width = std::min(strip_columns, all - first);
    const Vectors<double> a = widened(left, cols, bias, first, width),
                          b = widened(right, cols, bias, first, width);
    numerics::blas::add_product(left.size(), right.size(), width, a.row(0), b.row(0), b.stride(),
                                to, stride);
  }
}

}  // namespace semblance::solvers
