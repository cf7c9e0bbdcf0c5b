// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/sparse_testing.hpp"
#include "solver_testing.hpp"

/// Sparse samples for tests of solvers.
namespace semblance::common::testing {

/// Clouds with mostly zero values, as sparse rows; some rows are empty.
inline Data sparse_clouds(std::size_t rows, std::size_t cols, std::size_t classes,
                          double density = 0.2, std::uint64_t seed = 1) {
  Data data = clouds(rows, 1, classes, seed);
  data.values = sparse_rows(rows, cols, density, seed);
  // One column per class is larger in the class's rows.
  for (std::size_t i = 0; i < rows; ++i) {
    const auto columns = data.values.view().columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k] % classes == i % classes) data.values.view().row(i)[k] += 1;
  }
  return data;
}

/// The same rows in dense form.
inline Data laid_out(const Data& sparse) {
  return {semblance::testing::laid_out(sparse.values.view()), sparse.labels, sparse.classes};
}

}  // namespace semblance::common::testing
