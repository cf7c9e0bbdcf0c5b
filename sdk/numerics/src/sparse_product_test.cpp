// SPDX-License-Identifier: MIT
#include "sparse_product.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::numerics {
namespace {

FloatMatrix random_matrix(std::size_t rows, std::size_t cols, double density, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values)
    x = random.uniform() < density ? static_cast<float>(random.normal()) : 0.0F;
  return matrix;
}

/// The dense product, which a single row without zeros keeps to.
FloatMatrix dense(const FloatMatrix& a, const PackedRows& b) {
  FloatMatrix c(a.rows, b.rows());
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.rows(); j += 60)  // too few columns for the sparse product
      multiply(a.view().rows_range(i, 1), b,
               c.view().rows_range(i, 1).cols_range(j, std::min<std::size_t>(60, b.rows() - j)), j);
  return c;
}

TEST_CASE("skipping zeros changes no bit, on any range of columns") {
  for (const std::size_t rows : {1, 7, 250})
    for (const std::size_t cols : {33, 96, 400}) {
      const FloatMatrix a = random_matrix(rows, cols, 0.2, rows + cols);
      const FloatMatrix b = random_matrix(203, cols, 0.7, 5);
      const PackedRows packed(b.view());
      const FloatMatrix expected = dense(a, packed);
      CHECK(sparse_pays(a.view(), packed, 203));
      for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 203},
                                         {0, 64},
                                         {5, 70},
                                         {63, 140},
                                         {200, 3},
                                         {17, 1}}) {
        FloatMatrix c(rows, count);
        multiply_sparse(a.view(), packed, first, c.view());
        for (std::size_t i = 0; i < rows; ++i)
          REQUIRE(
              std::equal(c.view().row(i), c.view().row(i) + count, expected.view().row(i) + first));
      }
    }
}

TEST_CASE("dense rows, few columns and infinite values go the dense way") {
  FloatMatrix b = random_matrix(100, 64, 1, 1);
  const FloatMatrix full = random_matrix(10, 64, 1, 2), sparse = random_matrix(10, 64, 0.1, 3);
  CHECK_FALSE(sparse_pays(full.view(), PackedRows(b.view()), 100));
  CHECK_FALSE(sparse_pays(sparse.view(), PackedRows(b.view()), 10));
  CHECK(sparse_pays(sparse.view(), PackedRows(b.view()), 100));
  b.values[777] = std::numeric_limits<float>::infinity();
  CHECK_FALSE(sparse_pays(sparse.view(), PackedRows(b.view()), 100));
  FloatMatrix c(10, 100);
  multiply(sparse.view(), PackedRows(b.view()), c.view());
  CHECK_FALSE(std::isfinite(c.values[777 / 64]));
}

}  // namespace
}  // namespace semblance::numerics
