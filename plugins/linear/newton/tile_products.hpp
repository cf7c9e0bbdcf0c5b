// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::linear {

/// Rows of a tile of products: enough for BLAS to reach full speed, and few enough for a few
/// hundred rows to keep several threads busy.
inline constexpr std::size_t tile_rows = 128;

/// Columns converted to double at once, 1 MiB per side of a tile.
inline constexpr std::size_t strip_columns = 1024;

/// to[i * stride + j] += left_i . right_j in double, in the order of the columns, for rows with
/// `cols` values followed by `bias` unless it is 0.
void add_tile_products(std::span<const float* const> left, std::span<const float* const> right,
                       std::size_t cols, double bias, double* to, std::size_t stride);

}  // namespace semblance::linear
