// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"

/// Helpers for tests of sparse rows.
namespace semblance::testing {

/// The rows in sparse form.
inline FloatMatrix sparse_of(MatrixView dense) {
  std::vector<std::size_t> sizes(dense.rows);
  for (std::size_t i = 0; i < dense.rows; ++i)
    for (const float x : dense.row_span(i)) sizes[i] += x != 0 ? 1 : 0;
  FloatMatrix rows = FloatMatrix::sparse(dense.cols, sizes);
  std::size_t k = 0;
  for (std::size_t i = 0; i < dense.rows; ++i)
    for (std::size_t j = 0; j < dense.cols; ++j) {
      if (dense.row(i)[j] == 0) continue;
      rows.columns[k] = static_cast<std::uint32_t>(j);
      rows.values[k++] = dense.row(i)[j];
    }
  return rows;
}

/// The rows in dense form.
inline FloatMatrix dense_of(MatrixView sparse) {
  FloatMatrix rows(sparse.rows, sparse.cols);
  for (std::size_t i = 0; i < sparse.rows; ++i)
    for (std::size_t k = 0; k < sparse.size(i); ++k)
      rows.values[i * sparse.cols + sparse.columns_of(i)[k]] = sparse.row(i)[k];
  return rows;
}

/// Dense rows in which about this share of values is not 0, but an integer from 1 to 5. The third
/// row is empty.
inline FloatMatrix counts(std::size_t rows, std::size_t cols, double share,
                          std::uint64_t seed = 1) {
  FloatMatrix values(rows, cols);
  Random random(seed);
  for (std::size_t k = 0; k < values.values.size(); ++k)
    if (random.uniform() < share && k / cols != 2)
      values.values[k] = static_cast<float>(1 + random.below(5));
  return values;
}

}  // namespace semblance::testing
