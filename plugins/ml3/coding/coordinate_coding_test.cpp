// SPDX-License-Identifier: MIT
#include "coding/coordinate_coding.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ml3_testing.hpp"

namespace coordinate_coding_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

FloatMatrix first_rows(const FloatMatrix& values, std::size_t count) {
  return FloatMatrix(values.view().rows_range(0, count));
}

std::vector<double> encoded(const CoordinateCoding& coding, std::span<const float> row) {
  std::vector<Entry> codes;
  std::vector<std::size_t> ends;
  coding.encode({row.data(), 1, row.size(), row.size()}, codes, ends);
  std::vector<double> dense(coding.anchors().rows);
  for (const auto& [column, value] : codes) dense[column] = double{value};
  return dense;
}

/// The lasso's objective, from its definition.
double objective(const FloatMatrix& anchors, std::span<const float> x, double mu,
                 const std::vector<double>& gamma) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double rest = double{x[k]};
    for (std::size_t v = 0; v < gamma.size(); ++v)
      rest -= gamma[v] * double{anchors.view().row(v)[k]};
    sum += rest * rest / 2;
  }
  for (std::size_t v = 0; v < gamma.size(); ++v)
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += mu * std::abs(gamma[v]) * std::pow(double{anchors.view().row(v)[k]} - double{x[k]}, 2);
  return sum;
}

/// Solves the same problem by many small proximal gradient steps from 0.
std::vector<double> proximal(const FloatMatrix& anchors, std::span<const float> x, double mu) {
  const std::size_t m = anchors.rows;
  double length = 0;
  for (const float a : anchors.values) length += double{a} * double{a};
  std::vector<double> gamma(m), weights(m);
  for (std::size_t v = 0; v < m; ++v) {
    double distance = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      distance += std::pow(double{anchors.view().row(v)[k]} - double{x[k]}, 2);
    weights[v] = mu * distance / length;
  }
  for (int step = 0; step < 60000; ++step) {
    std::vector<double> rest(x.begin(), x.end());
    for (std::size_t v = 0; v < m; ++v)
      for (std::size_t k = 0; k < x.size(); ++k)
        rest[k] -= gamma[v] * double{anchors.view().row(v)[k]};
    for (std::size_t v = 0; v < m; ++v) {
      double gradient = 0;
      for (std::size_t k = 0; k < x.size(); ++k)
        gradient += rest[k] * double{anchors.view().row(v)[k]};
      const double moved = gamma[v] + gradient / length, w = weights[v];
      gamma[v] = moved > w ? moved - w : moved < -w ? moved + w : 0;
    }
  }
  return gamma;
}

}  // namespace

TEST_CASE("the lasso's coordinates are those of a proximal gradient descent") {
  const Points points = random_points(40, 6, 3);
  const FloatMatrix anchors = first_rows(points.values, 25);
  for (const double mu : {0.01, 0.1, 0.5}) {
    const CoordinateCoding coding(anchors, {0, mu});
    for (std::size_t i = 30; i < 32; ++i) {
      const auto x = points.values.view().row_span(i);
      const auto found = encoded(coding, x), wanted = proximal(anchors, x, mu);
      // With little locality, many different coordinates are nearly optimal.
      for (std::size_t v = 0; mu > 0.05 && v < 25; ++v)
        CHECK(std::abs(found[v] - wanted[v]) < 2e-3);
      CHECK(objective(anchors, x, mu, found) <= objective(anchors, x, mu, wanted) * (1 + 2e-4));
    }
  }
}

TEST_CASE("a row that is an anchor has its coordinate alone; far anchors have none") {
  FloatMatrix anchors(3, 2);
  anchors.values = {1, 0, 0, 1, -20, 0};
  const CoordinateCoding coding(anchors, {0, 0.1});
  const auto on = encoded(coding, std::vector<float>{0, 1});
  CHECK(on[1] == doctest::Approx(1).epsilon(1e-4));
  CHECK(std::abs(on[0]) < 1e-3);
  CHECK(on[2] == 0);
  CHECK(encoded(coding, std::vector<float>{0, 0}) == std::vector<double>{0, 0, 0});
}

TEST_CASE("on neighbours the coordinates sum to 1 and no other choice of them does better") {
  const Points points = random_points(30, 5, 3);
  const FloatMatrix anchors = first_rows(points.values, 20);
  Random random(5);
  for (std::size_t i = 20; i < 30; ++i) {
    const double beta = i % 2 == 0 ? 1e-4 : 0.1;
    const CoordinateCoding coding(anchors, {4, 0, beta});
    const auto x = points.values.view().row_span(i);
    const auto gamma = encoded(coding, x);
    std::vector<std::pair<double, std::size_t>> distances;
    for (std::size_t v = 0; v < 20; ++v) {
      double distance = 0;
      for (std::size_t k = 0; k < 5; ++k)
        distance += std::pow(double{anchors.view().row(v)[k]} - double{x[k]}, 2);
      distances.emplace_back(distance, v);
    }
    std::sort(distances.begin(), distances.end());
    double sum = 0, trace = 0;
    for (std::size_t n = 0; n < 20; ++n) {
      const auto& [distance, v] = distances[n];
      if (n < 4) trace += distance;
      if (n >= 4) CHECK(gamma[v] == 0);
      sum += gamma[v];
    }
    CHECK(sum == doctest::Approx(1));
    const auto value = [&](const std::vector<double>& g) {
      double squares = 0;
      for (const double c : g) squares += beta * trace * c * c;
      return objective(anchors, x, 0, g) + squares / 2;
    };
    for (int trial = 0; trial < 50; ++trial) {
      auto moved = gamma;
      const double change = 0.02 * random.normal();
      const std::size_t a = distances[random.below(4)].second;
      const std::size_t b = distances[random.below(4)].second;
      moved[a] += change;
      moved[b] -= change;
      CHECK(value(moved) >= value(gamma) - 1e-6);
    }
  }
  // Four equal anchors on the row itself.
  FloatMatrix same(4, 2);
  same.values = {1, 2, 1, 2, 1, 2, 1, 2};
  CHECK(encoded(CoordinateCoding(same, {4, 0}), std::vector<float>{1, 2}) ==
        std::vector<double>{0.25, 0.25, 0.25, 0.25});
}

TEST_CASE("a row's codes do not depend on the rows around it") {
  const Points points = random_points(300, 6, 3);
  const FloatMatrix anchors = first_rows(points.values, 25);
  for (const std::size_t neighbours : {0, 3}) {
    const CoordinateCoding coding(anchors, {neighbours, 0.1});
    std::vector<Entry> codes;
    std::vector<std::size_t> ends;
    coding.encode(points.values.view(), codes, ends);
    REQUIRE(ends.size() == 300);
    for (std::size_t i = 1; i < 300; i += 7) {
      const auto alone = encoded(coding, points.values.view().row_span(i));
      std::vector<double> together(25);
      for (std::size_t e = ends[i - 1]; e < ends[i]; ++e)
        together[codes[e].column] = double{codes[e].value};
      REQUIRE(alone == together);
    }
  }
}

TEST_CASE("on neighbours the coordinates do not depend on where anchors and rows are") {
  Points points = random_points(60, 5, 3);
  for (float& x : points.values.values) x = std::round(64 * x) / 64;  // exact when they are moved
  const CoordinateCoding coding(first_rows(points.values, 20), {4, 0, 1e-4});
  for (const float shift : {1e3F, 1e5F}) {
    FloatMatrix moved = points.values;
    for (float& x : moved.values) x += shift;
    const CoordinateCoding far(first_rows(moved, 20), {4, 0, 1e-4});
    for (std::size_t i = 0; i < 60; ++i)
      CHECK(encoded(far, std::as_const(moved).view().row_span(i)) ==
            encoded(coding, points.values.view().row_span(i)));
  }
}

TEST_CASE("the lasso refuses anchors that lie far from 0") {
  FloatMatrix anchors(3, 2);
  anchors.values = {1, 0, 0, 1, 4, 0};
  const CoordinateCoding coding(anchors, {0, 10});
  const std::vector<float> x{0, 1};  // an anchor: without a penalty, and no other is needed
  CHECK(objective(anchors, x, 10, encoded(coding, x)) < 1e-3);
  for (float& value : anchors.values) value += 3000;
  CHECK_THROWS_WITH_AS(
      CoordinateCoding(anchors, {0, 10}),
      "codes by the lasso cannot tell anchors apart that lie so far from 0, such as in column 1 "
      "(counted from 0), whose values are 3000 on average and differ by 0.47 from that; center the "
      "samples (normalizer/zscore)",
      Error);
}

}  // namespace coordinate_coding_test
