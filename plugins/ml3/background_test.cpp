// SPDX-License-Identifier: MIT
#include "background.hpp"

#include <doctest/doctest.h>

#include "ml3_testing.hpp"

namespace background_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Background background_of(const FloatMatrix& rows) {
  semblance::testing::TestContext context(2);
  return find_background(TrainingRows(rows.view()), context);
}

}  // namespace

TEST_CASE("a background is what most rows have in a column, and how rows meet it") {
  const Points points = points_on_background(3000, 50, 3);
  const Background found = background_of(points.values);
  REQUIRE(found.values.size() == 50);
  for (std::size_t k = 0; k < 50; ++k)
    CHECK(found.values[k] == 1.5F * (1.0F - static_cast<float>(k % 3)));
  REQUIRE(found.outside.size() == 3000);
  REQUIRE(found.along.size() == 3000);
  for (std::size_t i = 0; i < 3000; i += 7) {
    double outside = 0, along = 0;
    for (std::size_t k = 0; k < 50; ++k) {
      const double x = double{points.values.values[i * 50 + k]}, v = double{found.values[k]};
      outside += v * (x - v);
      along += v * x;
    }
    CHECK(double{found.outside[i]} == doctest::Approx(outside).epsilon(1e-6).scale(1));
    CHECK(double{found.along[i]} == doctest::Approx(along).epsilon(1e-6).scale(1));
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
  REQUIRE_FALSE(problem.rows.background.empty());
  const ModelMatrix w = random_models(problem, 3);
  const ModelMatrix stored = stored_models(problem, w);
  CHECK(distance(doubles(plain_models(problem, stored_models(problem, w))), doubles(w)) < 1e-6);
  numerics::SparseBlock block(problem.stored_inputs());
  for (std::size_t i = 0; i < 600; i += 7) {
    list_row(problem, problem.rows.row(i), i, block);
    FloatMatrix z(1, 6);
    const std::vector<numerics::SparseRow> rows{block.row(block.rows() - 1)};
    numerics::multiply(rows, numerics::PackedRows(stored.view()), z.view());
    double along = 0;
    for (std::size_t k = 0; k < 40; ++k)
      along += double{problem.rows.background.centred[k]} *
               (double{problem.rows.row(i)[k]} - problem.rows.centre[k]);
    CHECK(double{problem.rows.background.along[i]} ==
          doctest::Approx(along).epsilon(1e-5).scale(1));
    for (std::size_t r = 0; r < 6; ++r) {
      double wanted = double{w.row(r)[40]} * problem.bias;
      for (std::size_t k = 0; k < 40; ++k)
        wanted += double{w.row(r)[k]} * (double{problem.rows.row(i)[k]} - problem.rows.centre[k]);
      CHECK(double{z.values[r]} == doctest::Approx(wanted).epsilon(1e-4).scale(1));
    }
  }
}

TEST_CASE("dense and short rows have no background") {
  CHECK(background_of(random_points(500, 50, 3).values).empty());
  CHECK(background_of(points_on_background(500, 31, 3).values).empty());
  CHECK_FALSE(background_of(points_on_background(500, 32, 3).values).empty());
  // More than half of all values differ.
  Points points = points_on_background(500, 40, 3);
  for (std::size_t i = 0; i < points.values.values.size(); ++i)
    if (i % 40 < 20) points.values.values[i] += 1e-3F * static_cast<float>(i % 997);
  CHECK(background_of(points.values).empty());
}

}  // namespace background_test
