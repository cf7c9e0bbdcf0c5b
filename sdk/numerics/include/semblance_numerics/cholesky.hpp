// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::numerics {

enum class Factorisation { done, indefinite, stopped };

/// Replaces the lower triangle of a square matrix by its Cholesky factor, by tiles, in parallel.
/// Each tile is computed as a whole, so that the bits do not depend on the threads. Polls the stop
/// request once per column of tiles. T is float or double.
template <class T>
Factorisation factorise(Vectors<T>& matrix, Context& context);

/// The number of matrix columns computed at a time: the width of a tile.
inline constexpr std::size_t factor_tile = 256;

/// inverse = L^-1 for the factor L in the lower triangle. False if a stop was requested.
bool invert_factor(const Vectors<float>& factor, Vectors<float>& inverse, Context& context);

/// Bytes that invert_factor() needs in addition to its arguments.
std::size_t invert_factor_bytes(std::size_t dimension, std::size_t threads) noexcept;

}  // namespace semblance::numerics
