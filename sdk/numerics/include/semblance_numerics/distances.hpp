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

/// Squared distances |b - x|^2 come fast as |b|^2 + |x|^2 - 2 <b, x>, with an error in proportion
/// to |b|^2 + |x|^2, however small the distance: far from 0 nothing is left of it. Summed over the
/// differences of the values they are exact but for a few units in the last place, wherever the
/// rows are, at twice the cost. Which of the two a pair gets depends on that pair alone, so that it
/// has the same bits beside whichever others.

/// How exact squared distances have to be for what is made of them.
struct DistanceNeed {
  float error = 0;  ///< as large an error does no harm
  float share = 0;  ///< nor does one of this share of the distance
  float far = std::numeric_limits<float>::infinity();  ///< as large a distance may have any error
};

/// Error of a distance by products, as a share of |b|^2 + |x|^2: of `cols` multiply-adds in a chain
/// each rounds what is there already, by chance up or down, and so do the last additions.
float product_error(std::size_t cols);

/// Whether all pairs of rows with these squared lengths have distances by products that are exact
/// enough. No for lengths that are not finite.
bool products_suffice(std::span<const float> a_norms, std::span<const float> b_norms,
                      std::size_t cols, const DistanceNeed& need);

/// c(i, j) = |a's row i - b's row first + j|^2 in place of the products that it holds. The norms
/// are those that squared_norms() gives for all rows of a and of b. Distances by products may come
/// out below 0. On the calling thread alone.
void distances_from_products(MatrixView a, std::span<const float> a_norms, const PackedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c);
/// The same bits for sparse rows.
void distances_from_products(MatrixView a, std::span<const float> a_norms, const IndexedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c);

/// For who looks for the nearest of all rows of b: turns the products of a's rows with them into
/// |b|^2 - 2 <b, x>, whose order is that of the distances; or, for a row x whose least distance by
/// products is not known to a thousandth, into distances by differences. Returns what is missing of
/// the distances of each row: |x|^2, or 0.
std::vector<float> nearness_from_products(MatrixView a, const PackedRows& b,
                                          std::span<const float> b_norms, MutableMatrixView c);

/// Of rows of b.cols() values to the rows of b in its panels [first, end), by differences: as many
/// values for each row as these panels have rows.
void squared_differences(std::span<const float* const> rows, const PackedRows& b, std::size_t first,
                         std::size_t end, std::span<float* const> distances);
/// Of two sparse rows, the same bits.
float squared_differences(MatrixView a, std::size_t i, MatrixView b, std::size_t j);

}  // namespace semblance::numerics
