// SPDX-License-Identifier: MIT
#include "newton/gram.hpp"

#include <algorithm>
#include <cmath>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::solvers {
namespace {

constexpr std::size_t chunk_rows = 512;
constexpr std::size_t gram_tile = 512;

/// The rows as add_gram() needs them, multiplied with the root of their weight's size.
template <class T>
void fill_chunk(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& chunk) {
  const std::size_t cols = rows.cols();
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const double root = std::sqrt(std::abs(chosen[r].weight));
    const auto scaled = [&](std::size_t j, double x) {
      return static_cast<T>(columns.scale.empty() ? root * x : root * x * columns.scale[j]);
    };
    const float* x = rows.view(chosen[r].row, 1).data;
    T* to = chunk.row(r);
    if (!columns.chosen.empty()) {
      for (std::size_t k = 0; k < columns.chosen.size(); ++k) {
        const std::size_t j = columns.chosen[k];
        to[k] = scaled(j, j < cols ? double{x[j]} : columns.bias);
      }
      continue;
    }
    for (std::size_t j = 0; j < cols; ++j) to[j] = scaled(j, x[j]);
    if (chunk.cols() > cols) to[cols] = scaled(cols, columns.bias);
  }
  const std::size_t begin = chosen.front().row;
  rows.release(begin, chosen.back().row + 1 - begin);
}

}  // namespace

template <class T>
bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<T>& matrix, Context& context) {
  if (chosen.empty()) return true;
  const std::size_t d = matrix.cols(), tiles = (d + gram_tile - 1) / gram_tile;
  const T sign = chosen.front().weight < 0 ? T{-1} : T{1};
  Vectors<T> chunk(std::min(chunk_rows, chosen.size()), d);
  for (std::size_t first = 0; first < chosen.size(); first += chunk_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const auto part = chosen.subspan(first, std::min(chunk_rows, chosen.size() - first));
    fill_chunk(rows, part, columns, chunk);
    context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
      if (context.stop_requested() != StopReason::none) return;
      const numerics::TrianglePlace place = numerics::triangle_place(task);
      const std::size_t row = place.row * gram_tile, col = place.col * gram_tile;
      const std::size_t height = std::min(gram_tile, d - row);
      const T *left = chunk.row(0) + row, *right = chunk.row(0) + col;
      T* to = matrix.row(row) + col;
      if (row == col)
        numerics::blas::add_transposed_square(height, part.size(), sign, left, chunk.stride(), to,
                                              matrix.stride());
      else
        numerics::blas::add_transposed_product(height, gram_tile, part.size(), sign, left, right,
                                               chunk.stride(), to, matrix.stride());
    });
  }
  return context.stop_requested() == StopReason::none;
}

template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<float>&, Context&);
template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<double>&, Context&);

std::size_t gram_bytes(std::size_t dimension, std::size_t value_bytes) noexcept {
  return chunk_rows * padded(dimension) * value_bytes;
}

}  // namespace semblance::solvers
