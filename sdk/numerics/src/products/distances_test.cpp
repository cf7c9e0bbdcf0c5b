// SPDX-License-Identifier: MIT
#include "semblance_numerics/distances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::numerics::distances_test {
namespace {

/// Normal rows about `centre` in every third column, with zeros in between.
FloatMatrix rows_about(float centre, std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = i % 2; k < cols; k += 3)
      matrix.view().row(i)[k] = centre + static_cast<float>(random.normal());
  return matrix;
}

FloatMatrix sparse(const FloatMatrix& dense) {
  FloatMatrix result;
  result.rows = dense.rows;
  result.cols = dense.cols;
  result.offsets.assign(1, 0);
  for (std::size_t i = 0; i < dense.rows; ++i) {
    for (std::size_t k = 0; k < dense.cols; ++k)
      if (const float value = dense.view().row(i)[k]; value != 0) {
        result.values.push_back(value);
        result.columns.push_back(static_cast<std::uint32_t>(k));
      }
    result.offsets.push_back(result.values.size());
  }
  result.is_sparse = true;
  return result;
}

double distance(const FloatMatrix& a, std::size_t i, const FloatMatrix& b, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < a.cols; ++k)
    sum += std::pow(double{a.view().row(i)[k]} - double{b.view().row(j)[k]}, 2);
  return sum;
}

std::vector<float> norms(MatrixView rows) {
  std::vector<float> found(rows.rows);
  squared_norms(rows, found.data());
  return found;
}

template <class Bases>
FloatMatrix distances(MatrixView a, const Bases& b, MatrixView b_rows, std::size_t first,
                      std::size_t count, const DistanceNeed& need) {
  FloatMatrix c(a.rows, count);
  multiply(a, b, c.view(), first);
  const auto own = norms(a), others = norms(b_rows);
  distances_from_products(a, own, b, others, first, need, c.view());
  return c;
}

TEST_CASE("distances far from 0 are as exact as near it") {
  for (const float centre : {0.0F, 10.0F, 1e3F, 1e5F})
    for (const std::size_t cols : {1u, 6u, 300u, 785u}) {
      const FloatMatrix a = rows_about(centre, 131, cols, 1), b = rows_about(centre, 70, cols, 2);
      const FloatMatrix c =
          distances(a.view(), PackedRows(b.view()), b.view(), 0, b.rows, {0, 1e-5F});
      for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < b.rows; ++j) {
          const double exact = distance(a, i, b, j);
          REQUIRE(std::abs(double{c.view().row(i)[j]} - exact) <= 3e-5 * exact);
        }
    }
}

TEST_CASE("a distance has the same bits beside others, in any range, dense or sparse") {
  FloatMatrix a = rows_about(0, 50, 40, 1), b = rows_about(1000, 75, 40, 2);
  for (std::size_t i = 0; i < 25; ++i)  // two clusters
    for (std::size_t k = 0; k < 40; ++k) a.view().row(2 * i)[k] = b.view().row(i)[k] + 1.0F;
  const DistanceNeed need{1e-3F, 0, 1e5F};
  const PackedRows packed(b.view());
  const FloatMatrix all = distances(a.view(), packed, b.view(), 0, b.rows, need);
  std::size_t exact = 0;
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < 75; ++j)
      exact += std::abs(double{all.view().row(i)[j]} - distance(a, i, b, j)) < 1e-3 ? 1 : 0;
  CHECK(exact > 25);
  CHECK(exact < 50 * 75);  // those between the clusters are far
  for (const std::size_t first : {0u, 1u, 33u, 74u})
    for (const std::size_t count : {1u, 16u, 42u}) {
      if (first + count > b.rows) continue;
      for (std::size_t i = 0; i < a.rows; i += 7) {
        const FloatMatrix part =
            distances(a.view().rows_range(i, 1), packed, b.view(), first, count, need);
        REQUIRE(std::equal(part.values.begin(), part.values.end(), all.view().row(i) + first));
      }
    }
  const FloatMatrix some = sparse(a), others = sparse(b);
  const FloatMatrix of_sparse =
      distances(some.view(), IndexedRows(others.view()), others.view(), 0, b.rows, need);
  CHECK(of_sparse.values == all.values);
}

TEST_CASE("squares that overflow leave distances that do not") {
  FloatMatrix a(1, 2), b(2, 2);
  a.values = {3e19F, 1};
  b.values = {3e19F, 3, 3e19F, 1};
  const FloatMatrix c = distances(a.view(), PackedRows(b.view()), b.view(), 0, 2, {1e-4F, 0, 17});
  CHECK(c.values == std::vector<float>{4, 0});
}

TEST_CASE("the nearest row is found far from 0") {
  for (const float centre : {0.0F, 1e3F, 1e5F}) {
    const FloatMatrix a = rows_about(centre, 60, 9, 1), b = rows_about(centre, 70, 9, 2);
    const PackedRows packed(b.view());
    FloatMatrix c(a.rows, b.rows);
    multiply(a.view(), packed, c.view());
    const auto missing = nearness_from_products(a.view(), packed, norms(b.view()), c.view());
    for (std::size_t i = 0; i < a.rows; ++i) {
      std::vector<double> exact;
      for (std::size_t j = 0; j < b.rows; ++j) exact.push_back(distance(a, i, b, j));
      const auto values = c.view().row_span(i);
      const auto nearest = std::ranges::min_element(values) - values.begin();
      CHECK(nearest == std::ranges::min_element(exact) - exact.begin());
      CHECK(double{values[static_cast<std::size_t>(nearest)]} + double{missing[i]} ==
            doctest::Approx(std::ranges::min(exact)).epsilon(1e-3));
    }
  }
}

TEST_CASE("rows near 0 need no other way") {
  const FloatMatrix near = rows_about(0, 20, 30, 1), far = rows_about(1000, 20, 30, 2);
  const DistanceNeed need{1e-4F, 0, 17};
  CHECK(products_suffice(norms(near.view()), norms(near.view()), 30, need));
  CHECK_FALSE(products_suffice(norms(near.view()), norms(far.view()), 30, need));
  const std::vector<float> bad = {1, std::numeric_limits<float>::quiet_NaN()};
  CHECK_FALSE(products_suffice(bad, norms(near.view()), 30, need));
  CHECK_FALSE(products_suffice(norms(near.view()), bad, 30, need));
}

}  // namespace
}  // namespace semblance::numerics::distances_test
