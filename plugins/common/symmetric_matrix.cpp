// SPDX-License-Identifier: MIT
#include "symmetric_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"

namespace semblance::common {
namespace {

/// Two values that should be the same, the largest value seen with them, and their places.
struct WorstPair {
  double apart = 0;
  double largest = 0;
  std::size_t row = 0, column = 0;
  float there = 0, back = 0;

  void add(const WorstPair& other) {
    largest = std::max(largest, other.largest);
    if (!(other.apart > apart)) return;
    const double most = largest;
    *this = other;
    largest = most;
  }
};

}  // namespace

Asymmetry symmetrise(FloatMatrix& matrix, Context& context) {
  // Tiles of both triangles together, so that neither is traversed by columns.
  constexpr std::size_t tile = 64;
  const std::size_t n = matrix.rows, tiles = (n + tile - 1) / tile;
  float* const values = matrix.values.data();
  std::vector<WorstPair> of_tiles(tiles);
  context.parallel_for(tiles, [&](std::size_t t) {
    WorstPair& worst = of_tiles[t];
    for (std::size_t u = 0; u <= t; ++u)
      for (std::size_t i = t * tile; i < std::min(n, (t + 1) * tile); ++i)
        for (std::size_t j = u * tile; j < std::min(i + 1, (u + 1) * tile); ++j) {
          const float there = values[i * n + j], back = values[j * n + i];
          const double apart = std::abs(double{there} - back);
          const double size = std::max(std::abs(double{there}), std::abs(double{back}));
          worst.add({apart, size, i, j, there, back});
          values[i * n + j] = values[j * n + i] = (there + back) / 2;
        }
  });
  WorstPair worst;
  for (const WorstPair& of_tile : of_tiles) worst.add(of_tile);
  if (!(worst.apart > largest_asymmetry * worst.largest)) return {};
  return {worst.row, worst.column,
          " is " + to_text(Value(double{worst.there})) + " one way and " +
              to_text(Value(double{worst.back})) +
              " the other: the kernel is not symmetric, but a kernel machine needs s(a, b) = "
              "s(b, a), in training and for new samples; use the mean of both as kernel, or "
              "make the similarities a map, which may be asymmetric (BE-SVM: a similarity with "
              "bases, then solver/linear_svm)"};
}

void symmetrise_kernel(FloatMatrix& matrix, std::span<const std::uint32_t> rows, Context& context) {
  const Asymmetry found = symmetrise(matrix, context);
  if (found.text.empty()) return;
  throw RowError(RowError::Of::training, rows[found.a], "the similarity of ",
                 " and " + RowError::name(RowError::Of::training, rows[found.b]) +
                     " (counted from 0)" + found.text);
}

}  // namespace semblance::common
