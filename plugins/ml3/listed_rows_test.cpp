// SPDX-License-Identifier: MIT
#include "listed_rows.hpp"

#include <doctest/doctest.h>

#include "ml3_testing.hpp"
#include "semblance/error.hpp"

namespace listed_rows_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

std::shared_ptr<const ListedRows> listed(const Points& points, double bytes = 1e12) {
  semblance::testing::TestContext context(2);
  return ListedRows::make(problem_of(points, 3, 2), bytes, context);
}

}  // namespace

TEST_CASE("a background is what most rows have in a column, and how rows meet it") {
  const Points points = points_on_background(3000, 50, 3);
  const auto rows = listed(points);
  REQUIRE(rows != nullptr);
  REQUIRE(rows->background().size() == 50);
  for (std::size_t k = 0; k < 50; ++k)
    CHECK(rows->background()[k] == 1.5F * (1.0F - static_cast<float>(k % 3)));
  for (std::size_t i = 0; i < 3000; i += 7) {
    double along = 0, outside = 0;
    std::size_t others = 0;
    for (std::size_t k = 0; k < 50; ++k) {
      const double x = double{points.values.values[i * 50 + k]}, v = double{rows->background()[k]};
      along += v * x;
      outside += v * (x - v);
      others += x != v;
    }
    CHECK(double{rows->along(i)} == doctest::Approx(along).epsilon(1e-6).scale(1));
    // Its other values are followed by its constant, the product with them and 1.
    const auto values = rows->row(i).values;
    REQUIRE(values.size() == others + 3);
    CHECK(values[others] == 1);
    CHECK(double{values[others + 1]} == doctest::Approx(outside).epsilon(1e-6).scale(1));
    CHECK(values[others + 2] == 1);
  }
}

TEST_CASE("a background about a centre gives the products of rows minus the centre") {
  Points points = points_on_background(600, 40, 3);
  for (std::size_t i = 0; i < points.values.values.size(); ++i)
    points.values.values[i] += i % 40 % 2 == 0 ? 1000.0F : -64.0F;
  Problem problem = problem_of(points, 3, 2);
  for (std::size_t k = 0; k < 40; ++k)
    problem.rows.centre.push_back((k % 2 == 0 ? 1000 : -64) + 0.1 * double(k));
  problem = on_background(problem);
  REQUIRE(problem.listed != nullptr);
  const ModelMatrix w = random_models(problem, 3);
  const ModelMatrix stored = stored_models(problem, w);
  CHECK(distance(doubles(plain_models(problem, stored_models(problem, w))), doubles(w)) < 1e-6);
  for (std::size_t i = 0; i < 600; i += 7) {
    FloatMatrix z(1, 6);
    const std::vector<numerics::SparseRow> rows{problem.listed->row(i)};
    numerics::multiply(rows, numerics::PackedRows(stored.view()), z.view());
    double along = 0;
    for (std::size_t k = 0; k < 40; ++k)
      along += double{problem.listed->background()[k]} *
               (double{problem.rows.row(i)[k]} - problem.rows.centre[k]);
    CHECK(double{problem.listed->along(i)} == doctest::Approx(along).epsilon(1e-5).scale(1));
    for (std::size_t r = 0; r < 6; ++r) {
      double wanted = double{w.row(r)[40]} * problem.bias;
      for (std::size_t k = 0; k < 40; ++k)
        wanted += double{w.row(r)[k]} * (double{problem.rows.row(i)[k]} - problem.rows.centre[k]);
      CHECK(double{z.values[r]} == doctest::Approx(wanted).epsilon(1e-4).scale(1));
    }
  }
}

TEST_CASE("dense and short rows have no background") {
  CHECK_FALSE(listed(random_points(500, 50, 3)));
  CHECK_FALSE(listed(points_on_background(500, 31, 3)));
  CHECK(listed(points_on_background(500, 32, 3)));
  // More than half of all values differ.
  Points points = points_on_background(500, 40, 3);
  for (std::size_t i = 0; i < points.values.values.size(); ++i)
    if (i % 40 < 20) points.values.values[i] += 1e-3F * static_cast<float>(i % 997);
  CHECK_FALSE(listed(points));
}

TEST_CASE("too little memory for listing rows is an error with the numbers") {
  const Points points = points_on_background(30000, 48, 3);
  CHECK_THROWS_WITH_AS(
      listed(points, 1 << 20),
      "listing the rows' 360000 values that differ from their column's most frequent one needs 4 "
      "MiB, but only 1 MiB are left; use fewer models, fewer rows or more --memory",
      MemoryError);
}

}  // namespace listed_rows_test
