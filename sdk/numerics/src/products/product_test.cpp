// SPDX-License-Identifier: MIT
#include "semblance_numerics/product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/state.hpp"

namespace semblance::numerics::product_test {
namespace {

FloatMatrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values) x = static_cast<float>(random.normal());
  return matrix;
}

double length(std::span<const float> row) {
  double sum = 0;
  for (float x : row) sum += double(x) * x;
  return std::sqrt(sum);
}

TEST_CASE("the product equals a plain loop in double precision") {
  for (std::size_t n : {1u, 5u, 6u, 13u, 250u})
    for (std::size_t m : {1u, 15u, 16u, 50u})
      for (std::size_t k : {1u, 31u, 256u, 600u}) {
        const FloatMatrix a = random_matrix(n, k, n), b = random_matrix(m, k, 1000 + m);
        FloatMatrix c(n, m);
        multiply(a.view(), PackedRows(b.view()), c.view());
        double worst = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < m; ++j) {
            double sum = 0;
            for (std::size_t p = 0; p < k; ++p)
              sum += double(a.view().row(i)[p]) * b.view().row(j)[p];
            const double scale = length(a.view().row_span(i)) * length(b.view().row_span(j));
            worst = std::max(worst, std::abs(sum - c.view().row(i)[j]) / scale);
          }
        CHECK(worst < 1e-6);
      }
}

TEST_CASE("rows that are picked out of others have the same bits") {
  for (std::size_t m : {1u, 15u, 16u, 90u})
    for (std::size_t k : {1u, 31u, 256u, 785u}) {
      const FloatMatrix a = random_matrix(40, k, k), b = random_matrix(m, k, 1000 + m);
      const PackedRows packed(b.view());
      FloatMatrix all(40, m), some(40, m + 1);
      multiply(a.view(), packed, all.view());
      for (std::size_t step : {1u, 3u, 7u, 39u}) {
        std::vector<const float*> rows;
        std::vector<float*> products;
        std::ranges::fill(some.values, 7.0f);
        for (std::size_t i = 0; i < 40; i += step) {
          rows.push_back(a.view().row(i));
          products.push_back(some.view().row(i));
        }
        multiply(rows, packed, products);
        for (std::size_t i = 0; i < 40; ++i) {
          CHECK(some.view().row(i)[m] == 7.0f);
          for (std::size_t j = 0; j < m; ++j)
            REQUIRE(some.view().row(i)[j] == (i % step == 0 ? all.view().row(i)[j] : 7.0f));
        }
      }
    }
  const PackedRows empty(FloatMatrix(3, 0).view());
  std::vector<float> nothing(3, 7.0f);
  const float* row = nothing.data();
  float* product = nothing.data();
  multiply(std::span(&row, 1), empty, std::span(&product, 1));
  CHECK(nothing == std::vector<float>(3, 0.0f));
  multiply(std::span<const float* const>(), empty, std::span<float* const>());
  CHECK_THROWS_WITH_AS(multiply(std::span(&row, 1), empty, std::span<float* const>()),
                       "1 rows do not make 0 rows of products", Error);
}

TEST_CASE("a row's result has the same bits wherever the row stands") {
  const std::size_t n = 263, m = 70, k = 520;
  const FloatMatrix a = random_matrix(n, k, 1), b = random_matrix(m, k, 2);
  const PackedRows packed(b.view());
  FloatMatrix all(n, m);
  multiply(a.view(), packed, all.view());
  for (std::size_t first : {0u, 1u, 5u, 100u, 239u, 240u, 262u})
    for (std::size_t count : {1u, 2u, 7u}) {
      if (first + count > n) continue;
      FloatMatrix part(count, m);
      multiply(a.view().rows_range(first, count), packed, part.view());
      CHECK(std::equal(part.values.begin(), part.values.end(), all.view().row(first)));
    }
}

TEST_CASE("left rows that are prepared once give the same bits") {
  for (const std::size_t n : {1u, 7u, 64u, 241u, 500u})
    for (const std::size_t m : {5u, 16u, 64u, 100u})
      for (const std::size_t k : {1u, 40u, 256u, 600u})
        for (const bool sparse : {false, true}) {
          FloatMatrix a = random_matrix(n, k, n);
          const FloatMatrix b = random_matrix(m, k, 1000 + m);
          for (std::size_t i = 0; sparse && i < a.values.size(); ++i)
            if (i % 5 != 0) a.values[i] = 0;
          const PackedRows packed(b.view());
          const PackedBlock left(a.view());
          FloatMatrix expected(n, m), c(n, m);
          multiply(a.view(), packed, expected.view());
          multiply(left, packed, c.view());
          REQUIRE(c.values == expected.values);
        }
}

TEST_CASE("a range of the right rows gives the bits of the whole product") {
  const std::size_t n = 30, m = 103, k = 300;
  const FloatMatrix a = random_matrix(n, k, 1), b = random_matrix(m, k, 2);
  const PackedRows packed(b.view());
  FloatMatrix all(n, m);
  multiply(a.view(), packed, all.view());
  for (std::size_t first : {0u, 3u, 16u, 31u, 102u})
    for (std::size_t count : {1u, 13u, 40u, 100u}) {
      if (first + count > m) continue;
      FloatMatrix part(n, count);
      multiply(a.view(), packed, part.view(), first);
      for (std::size_t i = 0; i < n; ++i)
        CHECK(
            std::equal(part.view().row(i), part.view().row(i) + count, all.view().row(i) + first));
    }
}

TEST_CASE("nothing is written outside of a strided result") {
  const FloatMatrix a = random_matrix(9, 40, 1), b = random_matrix(21, 40, 2);
  std::vector<float> frame(9 * 30, 7.0f);
  multiply(a.view(), PackedRows(b.view()), {frame.data() + 4, 9, 21, 30});
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 30; ++j)
      if (j < 4 || j >= 25) CHECK(frame[i * 30 + j] == 7.0f);
}

TEST_CASE("a squared norm has the bits of the row's product with itself") {
  const FloatMatrix a = random_matrix(19, 777, 3);
  std::vector<float> norms(19);
  squared_norms(a.view(), norms.data());
  FloatMatrix c(19, 19);
  multiply(a.view(), PackedRows(a.view()), c.view());
  for (std::size_t i = 0; i < 19; ++i) CHECK(norms[i] == c.view().row(i)[i]);
}

TEST_CASE("shapes that do not fit are refused") {
  const FloatMatrix a = random_matrix(3, 4, 1), b = random_matrix(5, 4, 2);
  const PackedRows packed(b.view());
  FloatMatrix c(3, 5), longer(4, 5), part(3, 2), other(5, 3);
  CHECK_THROWS_WITH_AS(multiply(a.view(), PackedRows(other.view()), c.view()),
                       "rows of 3 x 4 values times packed rows of 5 x 3 do not make 3 x 5 products "
                       "from packed row 0 on; give rows of one length, and a result as wide as the "
                       "packed rows it is for",
                       Error);
  CHECK_THROWS_AS(multiply(a.view(), packed, longer.view()), Error);
  CHECK_THROWS_AS(multiply(a.view(), packed, part.view(), 4), Error);
  CHECK_THROWS_AS(multiply(PackedBlock(a.view()), packed, longer.view()), Error);
  multiply(a.view(), packed, part.view(), 3);
}

TEST_CASE("rows without values have products of zero") {
  std::vector<float> c(6, 1.0f);
  multiply({nullptr, 2, 0, 0}, PackedRows(MatrixView{nullptr, 3, 0, 0}), {c.data(), 2, 3, 3});
  CHECK(c == std::vector<float>(6, 0.0f));
}

}  // namespace
}  // namespace semblance::numerics::product_test
