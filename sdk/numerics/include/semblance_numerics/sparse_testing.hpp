// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"

/// Sparse rows and their dense form, for tests of code that takes both.
namespace semblance::testing {

/// Rows with a share `density` of nonzero values, normally distributed; every seventh row is empty.
inline FloatMatrix sparse_rows(std::size_t rows, std::size_t cols, double density,
                               std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> sizes(rows);
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t before = values.size();
    for (std::size_t j = 0; j < cols && i % 7 != 3; ++j) {
      if (random.uniform() >= density) continue;
      columns.push_back(static_cast<std::uint32_t>(j));
      values.push_back(static_cast<float>(random.normal()));
    }
    sizes[i] = values.size() - before;
  }
  FloatMatrix made = FloatMatrix::sparse(cols, sizes);
  made.values = std::move(values);
  made.columns = std::move(columns);
  made.make_sparse();
  return made;
}

/// The same rows in dense form.
inline FloatMatrix laid_out(MatrixView sparse) {
  FloatMatrix dense(sparse.rows, sparse.cols);
  for (std::size_t i = 0; i < sparse.rows; ++i) {
    const auto columns = sparse.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      dense.view().row(i)[columns[k]] = sparse.row(i)[k];
  }
  return dense;
}

}  // namespace semblance::testing
