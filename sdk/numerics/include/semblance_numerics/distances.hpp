// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/indexed_rows.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// Squared distances |b - x|^2 are fast to compute as |b|^2 + |x|^2 - 2 <b, x>, but their error is
/// proportional to |b|^2 + |x|^2, however small the distance: far from 0, no digit is correct.
/// Summed over the differences of the values, they are exact up to a few units in the last place
/// wherever the rows are, at twice the cost. The choice depends only on the pair, so that a pair
/// has the same bits whatever else is computed with it.

/// The accuracy that users of squared distances need.
struct DistanceNeed {
  float error = 0;                                     ///< harmless absolute error
  float share = 0;                                     ///< harmless error relative to the distance
  float far = std::numeric_limits<float>::infinity();  ///< larger distances may have any error
};

/// Error of a distance by products, as a share of |b|^2 + |x|^2: each of the `cols` chained
/// multiply-adds rounds the sum so far, randomly up or down, and so do the last additions.
float product_error(std::size_t cols);

/// Whether distances by products are accurate enough for all pairs of rows with these squared
/// lengths. False for lengths that are not finite.
bool products_suffice(std::span<const float> a_norms, std::span<const float> b_norms,
                      std::size_t cols, const DistanceNeed& need);

/// c(i, j) = |a's row i - b's row first + j|^2 replacing the products in c. The norms are those of
/// squared_norms() for all rows of a and of b. Distances by products may be below 0. Runs on the
/// calling thread only.
void distances_from_products(MatrixView a, std::span<const float> a_norms, const PackedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c);
/// The same bits for sparse rows.
void distances_from_products(MatrixView a, std::span<const float> a_norms, const IndexedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c);

/// For finding the nearest row of b: turns the products of a's rows with all rows of b into |b|^2 -
/// 2 <b, x>, which has the order of the distances. A row x whose least distance by products is not
/// accurate to a thousandth gets distances by differences instead. Returns the value to add to each
/// row to obtain the distances: |x|^2, or 0.
std::vector<float> nearness_from_products(MatrixView a, const PackedRows& b,
                                          std::span<const float> b_norms, MutableMatrixView c);

/// Squared distances by differences from rows of b.cols() values to the rows of b in its panels
/// [first, end): one value per row of these panels.
void squared_differences(std::span<const float* const> rows, const PackedRows& b, std::size_t first,
                         std::size_t end, std::span<float* const> distances);
/// The same for two sparse rows, with the same bits.
float squared_differences(MatrixView a, std::size_t i, MatrixView b, std::size_t j);

}  // namespace semblance::numerics
