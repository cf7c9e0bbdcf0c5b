// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::numerics {

enum class Factorisation { done, indefinite, stopped };

/// Replaces the lower triangle of a square matrix by its Cholesky factor, in tiles, the tiles in
/// parallel and each computed as a whole, so that the bits do not depend on the threads. Polls the
/// stop request once a column of tiles. T is float or double.
template <class T>
Factorisation factorise(Vectors<T>& matrix, Context& context);

/// Columns of a matrix are computed so many at a time: the width of a tile.
inline constexpr std::size_t factor_tile = 256;

/// Which tiles of columns to compute: `first`, and then each `step`-th.
struct EveryTile {
  std::size_t first = 0;
  std::size_t step = 1;
};

/// inverse = L^-1 for the factor L in the lower triangle, or some of its columns. False when a stop
/// was requested.
bool invert_factor(const Vectors<float>& factor, Vectors<float>& inverse, Context& context,
                   EveryTile tiles = {});

/// Bytes that invert_factor() takes besides its arguments.
std::size_t invert_factor_bytes(std::size_t dimension, std::size_t threads) noexcept;

}  // namespace semblance::numerics
