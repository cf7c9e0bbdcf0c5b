// SPDX-License-Identifier: MIT
#include "transport.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "semblance/random.hpp"
#include "sinkhorn.hpp"

namespace semblance::sets::transport_test {
namespace {

std::vector<double> random_costs(std::size_t count, Random& random) {
  std::vector<double> costs(count);
  for (double& cost : costs) cost = random.uniform();
  return costs;
}

/// Both sets with points repeated to equal sizes, then all permutations. At most six points each.
double brute_force(const std::vector<double>& costs, std::size_t rows, std::size_t columns) {
  const std::size_t count = std::lcm(rows, columns);
  std::vector<std::size_t> to(count);
  for (std::size_t k = 0; k < count; ++k) to[k] = k * columns / count;
  double best = INFINITY;
  do {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += costs[k * rows / count * columns + to[k]];
    best = std::min(best, sum / static_cast<double>(count));
  } while (std::ranges::next_permutation(to).found);
  return best;
}

TEST_CASE("transports by hand") {
  CHECK(transport_cost(std::vector<double>{7}, 1, 1) == 7);
  CHECK(transport_cost(std::vector<double>{1, 2, 2, 4}, 2, 2) == 2);  // 2 + 2, not 1 + 4
  CHECK(transport_cost(std::vector<double>{3, 1, 2}, 1, 3) == doctest::Approx(2));
  // Two places to three: each gives a half, takes a third.
  CHECK(transport_cost(std::vector<double>{0, 1, 9, 9, 1, 0}, 2, 3) == doctest::Approx(1.0 / 3));
}

TEST_CASE("transports agree with all permutations tried") {
  Random random(1);
  for (std::size_t rows = 1; rows <= 6; ++rows)
    for (std::size_t columns = 1; columns <= 6; ++columns) {
      if (std::lcm(rows, columns) > 6) continue;
      for (int repeat = 0; repeat < 10; ++repeat) {
        const auto costs = random_costs(rows * columns, random);
        CHECK(transport_cost(costs, rows, columns) ==
              doctest::Approx(brute_force(costs, rows, columns)).epsilon(1e-12));
      }
    }
}

TEST_CASE("a transport of unlike sizes is one of as many copies") {
  Random random(2);
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{4, 6}, {9, 15}, {7, 5}}) {
    const auto costs = random_costs(rows * columns, random);
    const std::size_t count = std::lcm(rows, columns);
    std::vector<double> copies(count * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        copies[i * count + j] = costs[i * rows / count * columns + j * columns / count];
    CHECK(transport_cost(costs, rows, columns) ==
          doctest::Approx(transport_cost(copies, count, count)).epsilon(1e-12));
  }
}

TEST_CASE("the network simplex method finds the costs that shortest paths do") {
  Random random(7);
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {1, 9}, {17, 17}, {30, 34}, {150, 150}}) {
    auto costs = random_costs(rows * columns, random);
    const double expected = transport_cost(costs, rows, columns);
    CHECK(simplex_transport_cost(costs, rows, columns, [] {}) ==
          doctest::Approx(expected).epsilon(1e-13));
    // The unit of costs has no effect, however large.
    for (double& cost : costs) cost *= 0x1p300;
    CHECK(simplex_transport_cost(costs, rows, columns, [] {}) ==
          doctest::Approx(0x1p300 * expected).epsilon(1e-13));
  }
  CHECK(simplex_transport_cost(std::vector<double>(12), 3, 4, [] {}) == 0);
}

TEST_CASE("the network simplex method can be stopped") {
  Random random(8);
  const auto costs = random_costs(std::size_t{200} * 230, random);
  struct Stop {};
  int polls = 0;
  const auto stop = [&] {
    if (++polls == 3) throw Stop();
  };
  CHECK_THROWS_AS(transport_cost(costs, 200, 230, stop), Stop);
  CHECK(transport_cost(costs, 200, 230) == transport_cost(costs, 200, 230));
}

TEST_CASE("on a line the smallest go to the smallest") {
  Random random(3);
  for (const double order : {1.0, 2.0, 3.5})
    for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{8, 8}, {5, 12}, {1, 9}}) {
      auto from = random_costs(n, random), to = random_costs(m, random);
      std::vector<double> costs;
      for (const double a : from)
        for (const double b : to) costs.push_back(std::pow(std::abs(a - b), order));
      const double exact = transport_cost(costs, n, m);
      CHECK(transport_cost_on_line(from, to, order) == doctest::Approx(exact).epsilon(1e-12));
    }
}

TEST_CASE("Sinkhorn's cost is above the exact one by no more than its bound") {
  Random random(4);
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{6, 6}, {30, 17}, {1, 5}})
    for (const double epsilon : {0.5, 0.05, 0.005}) {
      const auto costs = random_costs(rows * columns, random);
      const double exact = transport_cost(costs, rows, columns);
      const double mean =
          std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
      const SinkhornCost found = sinkhorn_cost(costs, rows, columns, {epsilon, 100000, 1e-4});
      CHECK(found.converged);
      CHECK(found.cost >= exact - 1e-12);
      CHECK(found.cost <= exact + epsilon * mean * std::log(double(rows * columns)) + 2e-4);
    }
}

TEST_CASE(
    "Sinkhorn says where it has not converged, and its plan moves all the mass all the same") {
  Random random(5);
  const auto costs = random_costs(400, random);
  const SinkhornCost found = sinkhorn_cost(costs, 20, 20, {1e-4, 3, 1e-3});
  CHECK_FALSE(found.converged);
  CHECK(found.cost >= transport_cost(costs, 20, 20) - 1e-12);
  const std::vector<double> nothing(6);
  CHECK(sinkhorn_cost(nothing, 2, 3, {}).converged);
  CHECK(sinkhorn_cost(nothing, 2, 3, {}).cost == 0);
}

TEST_CASE("logarithms of sums of exponentials") {
  Random random(6);
  for (const std::size_t count : {1u, 3u, 8u, 21u}) {
    std::vector<double> values(count), costs(count);
    for (double& value : values) value = random.uniform(-900, 900);
    for (double& cost : costs) cost = random.uniform(0, 50);
    double top = -INFINITY, sum = 0;
    for (std::size_t k = 0; k < count; ++k) top = std::max(top, values[k] - costs[k]);
    for (std::size_t k = 0; k < count; ++k) sum += std::exp(values[k] - costs[k] - top);
    CHECK(log_sum_exp(values.data(), costs.data(), count) ==
          doctest::Approx(top + std::log(sum)).epsilon(1e-14));
  }
}

}  // namespace
}  // namespace semblance::sets::transport_test
