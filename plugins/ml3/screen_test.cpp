// SPDX-License-Identifier: MIT
// Descents that skip products without effect have the same bits as with all products.
#include "screen.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "cccp.hpp"
#include "ml3_testing.hpp"
#include "pegasos.hpp"

namespace screen_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

constexpr std::size_t wide = 520;  // values per row for which a screen pays
constexpr double all_memory = 1e12;

/// Classes along few directions, two clusters each, and noise in all.
Points wide_points(std::size_t rows, std::size_t classes, std::uint64_t seed = 1) {
  Random random(seed);
  Points points{FloatMatrix(rows, wide), std::vector<std::int32_t>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t cluster = i % (2 * classes);
    points.labels[i] = static_cast<std::int32_t>(cluster % classes);
    const auto row = points.values.view().row_span(i);
    for (float& x : row) x = static_cast<float>(0.01 * random.normal());
    for (std::size_t k = 0; k < 8; ++k)
      row[cluster * 8 + k] += static_cast<float>(0.3 + 0.15 * random.normal());
  }
  return points;
}

bool same_bits(const ModelMatrix& a, const ModelMatrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t r = 0; r < a.rows(); ++r)
    if (std::memcmp(a.row(r), b.row(r), a.cols() * sizeof(float)) != 0) return false;
  return true;
}

void check_same(const DescentOutcome& a, const DescentOutcome& b) {
  CHECK(a.steps == b.steps);
  CHECK(a.errors == b.errors);
  CHECK(a.losses == b.losses);
  CHECK(a.updates == b.updates);
  CHECK(a.projections == b.projections);
}

/// Compares descents with a screen and without (on one thread). Returns the screen's counts.
ScreenCounts check_same(const Problem& problem, double p, CccpOptions options,
                        std::size_t threads = 1) {
  const PowerBall ball(p);
  const CccpResult all = minimise(problem, ball, options, Random(4), plain_surroundings());
  CHECK(all.screened.samples == 0);
  options.screen_bytes = all_memory;
  semblance::testing::TestContext context(threads);
  const CccpResult some = minimise(problem, ball, options, Random(4), {context});
  // A batch that ends when the scale is multiplied in is screened again.
  CHECK(some.screened.samples >= options.iterations * options.epochs * problem.rows.rows);
  CHECK(same_bits(some.w, all.w));
  REQUIRE(some.iterations.size() == all.iterations.size());
  for (std::size_t t = 0; t < all.iterations.size(); ++t) {
    check_same(some.iterations[t].descent, all.iterations[t].descent);
    CHECK(some.iterations[t].all_negative == all.iterations[t].all_negative);
  }
  return some.screened;
}

void check_saves(const ScreenCounts& counts) {
  CHECK(counts.passed > counts.samples / 20);
  CHECK(counts.computed < counts.classes * 3 / 4);
}

}  // namespace

TEST_CASE("a screen changes no bit of ML3, whatever the norm of the weights") {
  const Points points = wide_points(600, 4);
  const Problem problem = problem_of(points, 4, 5);
  for (const double p : {1.0, 1.15, 1.5, 1.7, 2.0, 10.0}) {
    CAPTURE(p);
    check_saves(check_same(problem, p, {.lambda = 1e-4, .iterations = 8}));
  }
}

TEST_CASE("nor with other batches, threads, epochs, starts or weights of rows") {
  const Points points = wide_points(601, 4, 2);
  Problem problem = problem_of(points, 4, 19);
  for (const std::size_t batch : {1, 7, 200})
    check_saves(check_same(problem, 1.5, {.lambda = 1e-4, .iterations = 6, .batch = batch}, 3));
  check_saves(
      check_same(problem, 1.5,
                 {.lambda = 1e-4, .iterations = 4, .epochs = 3, .start = RandomWeights::mixture}));
  std::vector<double> weights;
  for (std::size_t i = 0; i < 601; ++i) weights.push_back(i % 5 == 0 ? 0 : 0.5 + double(i % 3));
  problem.weights = weights;
  check_saves(check_same(problem, 1.5, {.lambda = 1e-4, .iterations = 8}));
}

TEST_CASE("nor in steps far beyond the ball, between which the scale is multiplied in") {
  const Points points = wide_points(300, 3, 3);
  const Problem problem = problem_of(points, 3, 4);
  for (const double lambda : {1e-8, 1e-1}) {
    CAPTURE(lambda);
    check_same(problem, 1.5, {.lambda = lambda, .iterations = 5});
  }
}

TEST_CASE("nor on ties, rows of length 0 and rows far longer than others") {
  Points points = wide_points(480, 4, 5);
  // The same rows with other labels; in each class rows of zeros; rows a thousand times as long.
  for (std::size_t i = 0; i < 40; ++i) {
    const auto from = points.values.view().row_span(i);
    std::ranges::copy(from, points.values.view().row(400 + i));
    points.labels[400 + i] = (points.labels[i] + 1) % 4;
    std::ranges::fill(points.values.view().row_span(100 + i), 0.0F);
  }
  for (std::size_t i = 200; i < 208; ++i)
    for (float& x : points.values.view().row_span(i)) x *= 1000;
  for (const double bias : {1.0, 0.0})
    for (const double p : {1.0, 1.5}) {
      CAPTURE(bias);
      CAPTURE(p);
      const ScreenCounts counts =
          check_same(problem_of(points, 4, 6, bias), p, {.lambda = 1e-3, .iterations = 10});
      CHECK(counts.computed < counts.classes);
    }
}

TEST_CASE("nor of machines with fixed weights, the same for all classes or not") {
  const Points points = wide_points(600, 4, 6);
  const Problem problem = problem_of(points, 4, 6);
  for (const std::size_t width : {6, 24})
    for (const bool negative : {false, true}) {
      FloatMatrix weights(600, width);
      Random random(7);
      for (float& w : weights.values)
        w = random.uniform() < 0.3 ? 0 : static_cast<float>(random.uniform(negative ? -1 : 0, 1));
      PegasosOptions options{1e-3, 8, 32};
      const PegasosResult all = pegasos(problem, weights, options, Random(2), plain_surroundings());
      options.screen_bytes = all_memory;
      const PegasosResult some =
          pegasos(problem, weights, options, Random(2), plain_surroundings());
      CHECK(same_bits(some.w, all.w));
      for (std::size_t e = 0; e < 8; ++e) check_same(some.epochs[e], all.epochs[e]);
      CHECK(some.screened.samples >= 8 * 600);
      CHECK(some.screened.passed > 0);
      CHECK(some.screened.computed < some.screened.classes);
    }
}

TEST_CASE("a screen is made where there is memory for it, and used where it pays") {
  const Points points = wide_points(100, 4), many = wide_points(10'000, 4);
  const Points narrow = random_points(10'000, 20, 4);
  const Points sparse = points_on_background(10'000, 600, 4);
  const Surroundings surroundings = plain_surroundings();
  CHECK(Screen::make(problem_of(points, 4, 5), all_memory, surroundings).has_value());
  CHECK_FALSE(Screen::make(problem_of(points, 4, 5), 1e5, surroundings).has_value());
  CHECK(Screen::pays(problem_of(many, 4, 5)));
  CHECK_FALSE(Screen::pays(problem_of(points, 4, 5)));
  CHECK_FALSE(Screen::pays(problem_of(narrow, 4, 5)));
  CHECK_FALSE(Screen::pays(on_background(problem_of(sparse, 4, 5))));
}

TEST_CASE("the part of models outside a subspace has moved no further than is said") {
  const Points points = wide_points(200, 3, 9);
  const Problem problem = problem_of(points, 3, 5);
  const Subspace subspace(problem, 12);
  ModelDrift drift(3, 5, {subspace.defect(), subspace.error()});
  ModelMatrix w = random_models(problem, 3);
  Random random(8);
  const auto coordinates = [&] {
    ModelMatrix c(w.rows(), subspace.coordinates());
    subspace.project(std::as_const(w).view(), c);
    return c;
  };
  struct Moment {
    std::uint32_t interval;
    Doubles outside;
  };
  /// w minus its projection: exact except for the coordinates.
  const auto outside = [&](const ModelMatrix& models) {
    ModelMatrix unit(1, problem.inputs()), c(1, subspace.coordinates());
    Doubles rest = doubles(models);
    // Directions by projecting unit vectors.
    Doubles directions(subspace.coordinates(), std::vector<double>(problem.inputs()));
    for (std::size_t k = 0; k < problem.inputs(); ++k) {
      unit.fill(0);
      unit.row(0)[k] = 1;
      subspace.project(std::as_const(unit).view(), c);
      for (std::size_t j = 0; j < directions.size(); ++j) directions[j][k] = double{c.row(0)[j]};
    }
    for (auto& row : rest)
      for (const auto& direction : directions) {
        const double along = std::inner_product(row.begin(), row.end(), direction.begin(), 0.0);
        for (std::size_t k = 0; k < row.size(); ++k) row[k] -= along * direction[k];
      }
    return rest;
  };
  std::vector<Moment> moments;
  for (std::size_t step = 0; step < 400; ++step) {
    const Panels v(w, 0, 15, 5);
    const ModelMatrix c = coordinates();
    const Panels inner(c, 0, 15, 5);
    if (!drift.anchored() || step % 8 == 0)
      drift.anchor(v, inner);
    else if (step % 4 == 0)
      drift.measure(v, inner);
    if (step % 20 == 0) {
      const Doubles rest = outside(w);
      for (const Moment& m : moments)
        for (std::size_t r = 0; r < 15; ++r) {
          double squared = 0;
          for (std::size_t k = 0; k < rest[r].size(); ++k) {
            const double d = rest[r][k] - double{drift.scale_since(m.interval)} * m.outside[r][k];
            squared += d * d;
          }
          const double bound = double{drift.moved_since(m.interval, r / 5)[r % 5]} +
                               double{drift.path(r / 5)[r % 5]};
          CHECK(std::sqrt(squared) <= bound);
        }
      moments.push_back({drift.now(), rest});
    }
    const std::size_t sample = random.below(200), label = random.below(3);
    std::vector<float> factors(5);
    for (float& f : factors) f = static_cast<float>(0.05 * random.normal());
    std::vector<float> x(padded(problem.inputs()));
    copy_with_bias(problem.rows.row(sample), problem.rows.cols, {}, problem.bias, x.data());
    double length = 0;
    for (const float value : x) length += double{value} * double{value};
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < problem.inputs(); ++k)
        w.row(label * 5 + j)[k] += factors[j] * x[k];
    drift.move(label, factors, std::sqrt(length) * 1.001, std::sqrt(length) * 1.001);
    if (step % 90 == 89) {
      for (std::size_t r = 0; r < 15; ++r)
        for (std::size_t k = 0; k < problem.inputs(); ++k) w.row(r)[k] *= 0.5F;
      drift.shrink(0.5);
    }
  }
  CHECK(moments.size() == 20);
}

}  // namespace screen_test
