// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "measures/elastic_testing.hpp"

namespace semblance::series::long_series_test {
namespace {

using namespace testing;

constexpr std::size_t steps = 20000, radius = 2;
constexpr double per_cent = 100.0 * radius / steps;

/// The costs of the three ways into a cell: from above, diagonally, from the left.
struct Ways {
  double above, diagonal, left;
};

/// The least sum along a path in a narrow band, in float64. The border before a series is infinite.
double least_sum(const std::function<Ways(std::size_t, std::size_t)>& costs) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<double> row(steps + 1, far), next;
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t first = i < radius ? 0 : i - radius, end = std::min(steps, i + radius + 1);
    next.assign(row.size(), far);
    for (std::size_t j = first; j < end; ++j) {
      const Ways way = costs(i, j);
      const double corner = i == 0 && j == 0 ? 0 : row[j];
      next[j + 1] = std::min({row[j + 1] + way.above, corner + way.diagonal, next[j] + way.left});
    }
    row.swap(next);
  }
  return row[steps];
}

struct Pair {
  Pair() {
    Random random(3);
    for (std::size_t t = 0; t < steps; ++t) {
      b.push_back(static_cast<float>(5 + random.normal()));
      x.push_back(static_cast<float>(random.normal()));
    }
  }
  double apart(std::size_t i, std::size_t j) const { return std::abs(double(x[i]) - b[j]); }
  std::vector<float> b, x;
};

double move(const std::vector<float>& series, std::size_t t) {
  return std::abs(double(series[t]) - (t > 0 ? double(series[t - 1]) : 0.0));
}

/// As float32 sums, these had errors of about 1e-4.
void check_long(std::string_view id, Parameters values, const Pair& pair, double expected) {
  values.emplace_back("window", per_cent);
  CHECK(distance_of(id, values, pair.b, pair.x) == doctest::Approx(expected).epsilon(5e-7));
  CHECK(distance_of(id, values, pair.b, pair.x) == distance_of(id, values, pair.x, pair.b));
}

TEST_CASE("sums over many thousand steps keep the digits of float32") {
  const Pair pair;
  const auto squared = [&](auto i, auto j) {
    const double cost = pair.apart(i, j) * pair.apart(i, j);
    return Ways{cost, cost, cost};
  };
  check_long("similarity/dtw", {}, pair, std::sqrt(least_sum(squared)));
  const auto half = [&](auto i, auto j) {
    const double cost = pair.apart(i, j) * pair.apart(i, j) / 2;
    return Ways{cost, cost, cost};
  };
  check_long("similarity/wdtw", {{"g", 0.0}}, pair, std::sqrt(least_sum(half)));
  // Skipping a step is never better than aligning it with its neighbour, so the borders do not
  // matter.
  const auto gaps = [&](auto i, auto j) {
    return Ways{std::abs(double(pair.x[i]) - 100), pair.apart(i, j),
                std::abs(double(pair.b[j]) - 100)};
  };
  check_long("similarity/erp", {{"g", 100.0}}, pair, least_sum(gaps));
  const auto edits = [&](auto i, auto j) {
    const double before = i > 0 && j > 0 ? pair.apart(i - 1, j - 1) : 0;
    const double match = pair.apart(i, j) + (i > 0 && j > 0 ? before
                                             : i > 0        ? std::abs(double(pair.x[i - 1]))
                                             : j > 0        ? std::abs(double(pair.b[j - 1]))
                                                            : 0.0);
    const double apart = 2 * 0.125 * std::abs(double(i) - double(j));
    return Ways{move(pair.x, i) + 1.125, match + apart, move(pair.b, j) + 1.125};
  };
  check_long("similarity/twe", {{"nu", 0.125}, {"lambda", 1.0}}, pair, least_sum(edits));
  // With such a high cost every step is moved.
  double moved = 0;
  for (std::size_t t = 0; t < steps; ++t) moved += pair.apart(t, t);
  check_long("similarity/msm", {{"c", 1e4}}, pair, moved);
}

}  // namespace
}  // namespace semblance::series::long_series_test
