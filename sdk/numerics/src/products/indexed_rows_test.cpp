// SPDX-License-Identifier: MIT
#include "semblance_numerics/indexed_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "indexed_product.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "semblance_numerics/product.hpp"
#include "semblance_numerics/sparse_testing.hpp"

namespace semblance::numerics::indexed_rows_test {
namespace {

using testing::laid_out;
using testing::sparse_rows;

using Method = void (*)(MatrixView, const IndexedRows&, std::size_t, MutableMatrixView);

FloatMatrix dense_products(const FloatMatrix& a, const FloatMatrix& b) {
  FloatMatrix c(a.rows, b.rows);
  multiply(laid_out(a.view()).view(), PackedRows(laid_out(b.view()).view()), c.view());
  return c;
}

void check_ranges(Method method, const FloatMatrix& a, const FloatMatrix& b,
                  const FloatMatrix& expected) {
  const IndexedRows indexed(b.view());
  for (const std::size_t first : {0U, 1U, 16U, 150U})
    for (const std::size_t count : {1U, 3U, 16U, 53U, 203U}) {
      if (first + count > b.rows) continue;
      // Wider than the result, with a value after it that must not change.
      FloatMatrix c(a.rows, count + 1);
      std::ranges::fill(c.values, 7.0F);
      method(a.view(), indexed, first, c.view().cols_range(0, count));
      for (std::size_t i = 0; i < a.rows; ++i) {
        const float* row = c.view().row(i);
        REQUIRE(std::equal(row, row + count, expected.view().row(i) + first));
        REQUIRE(row[count] == 7.0F);
      }
    }
}

}  // namespace

TEST_CASE("products of sparse rows have the bits of dense ones, either way, on any range") {
  for (const std::size_t rows : {1U, 7U, 64U, 150U})
    for (const double density : {0.01, 0.1, 0.6}) {
      const FloatMatrix a = sparse_rows(rows, 300, density, rows);
      const FloatMatrix b = sparse_rows(203, 300, density, 5);
      const FloatMatrix expected = dense_products(a, b);
      check_ranges(multiply_by_columns, a, b, expected);
      check_ranges(multiply_side_by_side, a, b, expected);
      FloatMatrix c(rows, 203);
      multiply(a.view(), IndexedRows(b.view()), c.view());
      CHECK(c.values == expected.values);
    }
}

TEST_CASE("products of sparse rows are right to rounding") {
  const FloatMatrix a = sparse_rows(40, 90, 0.2, 1), b = sparse_rows(30, 90, 0.3, 2);
  FloatMatrix c(40, 30);
  multiply(a.view(), IndexedRows(b.view()), c.view());
  const FloatMatrix x = laid_out(a.view()), y = laid_out(b.view());
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 30; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 90; ++k)
        sum += double{x.view().row(i)[k]} * double{y.view().row(j)[k]};
      REQUIRE(std::abs(c.view().row(i)[j] - sum) < 1e-5);
    }
}

TEST_CASE("the squared norms of sparse rows have the bits of dense ones") {
  const FloatMatrix rows = sparse_rows(50, 400, 0.3, 3);
  std::vector<float> norms(50), expected(50);
  squared_norms(rows.view(), norms.data());
  squared_norms(laid_out(rows.view()).view(), expected.data());
  CHECK(norms == expected);
  CHECK(norms[3] == 0);
}

TEST_CASE("both ways agree on every SIMD target") {
  const FloatMatrix a = sparse_rows(70, 120, 0.3, 1), b = sparse_rows(41, 120, 0.3, 2);
  on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix expected = dense_products(a, b);
    FloatMatrix c(70, 41);
    multiply_by_columns(a.view(), IndexedRows(b.view()), 0, c.view());
    CHECK(c.values == expected.values);
    multiply_side_by_side(a.view(), IndexedRows(b.view()), 0, c.view());
    CHECK(c.values == expected.values);
  });
}

TEST_CASE("one sample is looked up, many are laid side by side") {
  const FloatMatrix a = sparse_rows(150, 100, 0.2, 1), b = sparse_rows(2000, 100, 0.2, 2);
  const IndexedRows indexed(b.view());
  CHECK_FALSE(side_by_side_pays(a.view().rows_range(0, 1), indexed, 0, 2000));
  CHECK(side_by_side_pays(a.view(), indexed, 0, 2000));
}

TEST_CASE("rows without entries, and columns that nobody has") {
  const std::vector<std::size_t> none(5, 0);
  const FloatMatrix empty = FloatMatrix::sparse(1000, none);
  const FloatMatrix some = sparse_rows(9, 1000, 0.01, 4);
  for (const auto& [a, b] : {std::pair{&empty, &some}, {&some, &empty}, {&empty, &empty}}) {
    FloatMatrix c(a->rows, b->rows);
    std::ranges::fill(c.values, 7.0F);
    multiply(a->view(), IndexedRows(b->view()), c.view());
    CHECK(std::ranges::count(c.values, 0.0F) == static_cast<std::ptrdiff_t>(c.values.size()));
  }
}

TEST_CASE("indexed rows: shapes that do not fit, and dense rows, are refused") {
  const FloatMatrix a = sparse_rows(4, 10, 0.5, 1), b = sparse_rows(3, 11, 0.5, 2);
  FloatMatrix c(4, 3);
  CHECK_THROWS_WITH_AS(
      multiply(a.view(), IndexedRows(b.view()), c.view()),
      "sparse rows of 10 columns times 3 indexed rows of 11 do not make 4 x 3 products from row 0 "
      "on",
      Error);
  CHECK_THROWS_AS(multiply(a.view(), IndexedRows(a.view()), c.view(), 2), Error);
  CHECK_THROWS_AS(multiply(laid_out(a.view()).view(), IndexedRows(a.view()), c.view()), Error);
  CHECK_THROWS_AS(IndexedRows(laid_out(a.view()).view()), Error);
}

}  // namespace semblance::numerics::indexed_rows_test
