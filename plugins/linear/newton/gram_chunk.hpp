// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "newton/gram.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

/// Building blocks for summing a Gram matrix, for rows from any source.
namespace semblance::linear {

inline constexpr std::size_t chunk_rows = 512;
inline constexpr std::size_t gram_tile = 512;

/// A row as add_gram() needs it, multiplied by the square root of its weight's magnitude. `at(k)`
/// is its k-th chosen column, or its column k if all are chosen.
template <class T, class At>
void fill_row(const At& at, std::size_t cols, double weight, const GramColumns& columns, T* to) {
  const double root = std::sqrt(std::abs(weight));
  const auto scaled = [&](std::size_t j, double x) {
    return static_cast<T>(columns.scale.empty() ? root * x : root * x * columns.scale[j]);
  };
  if (!columns.chosen.empty()) {
    for (std::size_t k = 0; k < columns.chosen.size(); ++k) {
      const std::size_t j = columns.chosen[k];
      to[k] = scaled(j, j < cols ? double{at(k)} : columns.bias);
    }
    return;
  }
  for (std::size_t j = 0; j < cols; ++j) to[j] = scaled(j, at(j));
  if (columns.bias != 0) to[cols] = scaled(cols, columns.bias);
}

/// Adds the products of a chunk's first rows to the requested tiles.
template <class T>
void add_chunk(const Vectors<T>& chunk, std::size_t count, double weight, Vectors<T>& matrix,
               const std::function<bool(std::size_t tile)>& wanted, Context& context) {
  const std::size_t d = matrix.cols(), tiles = (d + gram_tile - 1) / gram_tile;
  const T sign = weight < 0 ? T{-1} : T{1};
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    if (context.stop_requested() != StopReason::none || !wanted(task)) return;
    const numerics::TrianglePlace place = numerics::triangle_place(task);
    const std::size_t row = place.row * gram_tile, col = place.col * gram_tile;
    const std::size_t height = std::min(gram_tile, d - row);
    const T *left = chunk.row(0) + row, *right = chunk.row(0) + col;
    T* to = matrix.row(row) + col;
    if (row == col)
      numerics::blas::add_transposed_square(height, count, sign, left, chunk.stride(), to,
                                            matrix.stride());
    else
      numerics::blas::add_transposed_product(height, gram_tile, count, sign, left, right,
                                             chunk.stride(), to, matrix.stride());
  });
}

}  // namespace semblance::linear
