// SPDX-License-Identifier: MIT
#include "newton/tile_products.hpp"

#include <algorithm>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::linear {
namespace {

using numerics::Vectors;

/// Converts `width` columns of the rows to double; the bias is the last column.
void widen(std::span<const float* const> rows, std::size_t cols, double bias, std::size_t first,
           std::size_t width, Vectors<double>& to) {
  const std::size_t values = std::min(width, cols - std::min(first, cols));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r] + first, values, to.row(r));
    if (values < width) to.row(r)[values] = bias;
  }
}

}  // namespace

void add_tile_products(std::span<const float* const> left, std::span<const float* const> right,
                       std::size_t cols, double bias, double* to, std::size_t stride) {
  const std::size_t all = cols + (bias != 0 ? 1 : 0);
  Vectors<double> a(left.size(), std::min(strip_columns, all)),
      b(right.size(), std::min(strip_columns, all));
  for (std::size_t first = 0; first < all; first += strip_columns) {
    const std::size_t width = std::min(strip_columns, all - first);
    widen(left, cols, bias, first, width, a);
    widen(right, cols, bias, first, width, b);
    numerics::blas::add_product(left.size(), right.size(), width, a.row(0), b.row(0), b.stride(),
                                to, stride);
  }
}

}  // namespace semblance::linear
