// SPDX-License-Identifier: MIT
#include "sparse_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "semblance_numerics/product.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::numerics::sparse_product_test {
namespace {

FloatMatrix random_matrix(std::size_t rows, std::size_t cols, double density, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values)
    x = random.uniform() < density ? static_cast<float>(random.normal()) : 0.0F;
  return matrix;
}

/// The dense product, which is used for a single row without zeros.
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

/// Rows with a background and their listed form: the differences, with two more values.
struct Listed {
  FloatMatrix expected;
  SparseBlock block;
  std::vector<SparseRow> rows;

  Listed(std::size_t count, std::size_t cols, std::uint64_t seed)
      : expected(count, cols + 2), block(cols + 2) {
    const FloatMatrix values = random_matrix(count, cols, 0.2, seed);
    std::vector<float> background(cols);
    for (std::size_t k = 0; k < cols; ++k) background[k] = 0.75F * static_cast<float>(k % 5);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> row(cols);
      float* to = expected.values.data() + i * (cols + 2);
      for (std::size_t k = 0; k < cols; ++k) {
        row[k] = values.values[i * cols + k] + background[k];
        to[k] = row[k] - background[k];
      }
      to[cols] = 3;
      to[cols + 1] = -0.5F;
      block.add(row, background, std::span(to + cols, 2));
    }
    for (std::size_t i = 0; i < count; ++i) rows.push_back(block.row(i));
  }
};

TEST_CASE("rows that are listed without their background have the bits of dense ones") {
  for (const std::size_t count : {1, 7, 64, 300})
    for (const std::size_t cols : {1, 33, 94, 95, 96, 400}) {
      const Listed a(count, cols, count + cols);
      const FloatMatrix b = random_matrix(83, cols + 2, 1, 5);
      const PackedRows packed(b.view());
      const FloatMatrix expected = dense(a.expected, packed);
      FloatMatrix c(count, 83);
      multiply(a.rows, packed, c.view());
      CHECK(c.values == expected.values);
      // Only the last panels.
      AlignedBuffer some(packed.panels() * packed.width());
      multiply(a.rows[count - 1], packed, 1, packed.panels(), some.data());
      CHECK(std::equal(some.data(), some.data() + 83 - packed.width(),
                       expected.view().row(count - 1) + packed.width()));
    }
}

void compare_batches() {
  SparseBatch batch;
  // Fewer rows and columns after more, so that old values would be found.
  for (const std::size_t cols : {1000, 400, 190, 191, 33, 1})
    for (const std::size_t count : {300, 65, 64, 7, 1}) {
      const Listed a(count, cols, count + cols);
      batch.assign(a.rows, cols + 2);
      CHECK(batch.rows() == count);
      for (const std::size_t models : {3, 64, 83, 200}) {
        const PackedRows packed(random_matrix(models, cols + 2, 1, 5).view());
        FloatMatrix c(count, models), expected(count, models);
        multiply(batch, packed, c.view());
        multiply(a.rows, packed, expected.view());
        REQUIRE(c.values == expected.values);
      }
    }
}

TEST_CASE("a batch of listed rows has the same products, whatever it held before") {
  compare_batches();
  on_lesser_targets([](const char* target) {
    CAPTURE(target);
    compare_batches();
  });
}

TEST_CASE("a batch may have rows without listed values, and products of the right shape only") {
  SparseBlock block(500);
  std::vector<float> row(500);
  for (std::size_t i = 0; i < 9; ++i) {
    block.add(row);
    row[i * 61] = static_cast<float>(i) - 3;  // the first row has no values
  }
  std::vector<SparseRow> rows;
  for (const std::size_t i : {4, 0, 8, 8, 0}) rows.push_back(block.row(i));
  SparseBatch batch;
  batch.assign(rows, 500);
  const PackedRows packed(random_matrix(70, 500, 1, 5).view());
  FloatMatrix c(5, 70), expected(5, 70);
  std::ranges::fill(c.values, 7.0F);
  multiply(batch, packed, c.view());
  multiply(rows, packed, expected.view());
  CHECK(c.values == expected.values);
  CHECK(std::ranges::count(c.values, 0.0F) == 2 * 70);
  CHECK_THROWS_AS(multiply(batch, packed, expected.view().rows_range(0, 4)), Error);
  batch.assign(rows, 499);
  CHECK_THROWS_AS(multiply(batch, packed, c.view()), Error);
  batch.assign({}, 500);
  multiply(batch, packed, c.view().rows_range(0, 0));
}

TEST_CASE("listed rows are added to a panel as dense ones are") {
  const Listed a(9, 150, 3);
  PackedRows panel(random_matrix(5, 152, 1, 4).view());
  const FloatMatrix before = panel.unpack();
  const std::size_t width = panel.width();
  AlignedBuffer factors(9 * width);
  for (std::size_t i = 0; i < 9 * width; ++i) factors.data()[i] = float(i % 7) - 3;
  add_rows(a.rows, factors.data(), panel.panel(0));
  const FloatMatrix after = panel.unpack();
  for (std::size_t j = 0; j < 5; ++j)
    for (std::size_t k = 0; k < 152; ++k) {
      float sum = before.values[j * 152 + k];
      for (std::size_t i = 0; i < 9; ++i)
        sum = std::fma(factors.data()[i * width + j], a.expected.values[i * 152 + k], sum);
      REQUIRE(after.values[j * 152 + k] == sum);
    }
}

TEST_CASE("a list takes rows of its length only, and forgets them") {
  SparseBlock block(5);
  const std::vector<float> row{1, 0, 2};
  CHECK_THROWS_AS(block.add(row), Error);
  CHECK_THROWS_AS(block.add(row, std::vector<float>(2), std::vector<float>(2)), Error);
  block.add(row, {}, std::vector<float>{0, 7});
  REQUIRE(block.rows() == 1);
  CHECK(block.row(0).values.size() == 4);  // the additional values are listed even if they are 0
  block.clear();
  CHECK(block.rows() == 0);
}

}  // namespace
}  // namespace semblance::numerics::sparse_product_test
