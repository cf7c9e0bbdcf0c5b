// SPDX-License-Identifier: MIT
#include "free_variables.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "semblance/random.hpp"

namespace semblance::numerics::free_variables_test {
namespace {

constexpr std::size_t n = 7;

/// A A^T of a random n x (n + 1) matrix.
std::vector<double> random_kernel(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> a(n * (n + 1)), kernel(n * n);
  for (double& x : a) x = random.normal();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= n; ++k)
        kernel[i * n + j] += a[i * (n + 1) + k] * a[j * (n + 1) + k];
  return kernel;
}

std::vector<double> slopes(const std::vector<double>& kernel, const std::vector<double>& gradients,
                           const std::vector<double>& changes) {
  std::vector<double> all = gradients;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) all[i] += kernel[i * n + j] * changes[j];
  return all;
}

}  // namespace

TEST_CASE("free variables move to where all gradients are equal") {
  const std::vector<double> kernel = random_kernel(1), room(n, 1e6);
  const std::vector<double> gradients{1, -2, 0.5, 3, -1, 0, 2};
  FreeVariables system(kernel, n);
  REQUIRE(system.usable());
  const auto move = system.minimise(gradients, room, room, 5);
  CHECK(move.stops.empty());
  CHECK(std::abs(std::accumulate(move.changes.begin(), move.changes.end(), 0.0)) < 1e-9);
  const auto after = slopes(kernel, gradients, move.changes);
  for (const double f : after) CHECK(f == doctest::Approx(after[0]).epsilon(1e-3));
}

TEST_CASE("variables that reach a bound stay there, and the others are at their minimum") {
  const std::vector<double> gradients{1, -2, 0.5, 3, -1, 0, 2}, room(n, 0.3);
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> kernel = random_kernel(seed);
    FreeVariables system(kernel, n);
    const auto move = system.minimise(gradients, room, room, n);
    stopped += move.stops.size();
    CHECK(std::abs(std::accumulate(move.changes.begin(), move.changes.end(), 0.0)) < 1e-9);
    const auto after = slopes(kernel, gradients, move.changes);
    double value = 0;
    std::vector<double> inside;
    for (std::size_t i = 0; i < n; ++i) {
      value += move.changes[i] * (gradients[i] + after[i]) / 2;
      CHECK(std::abs(move.changes[i]) <= 0.3 + 1e-12);
      const auto here = [&](const FreeVariables::Stop& stop) { return stop.variable == i; };
      if (const auto stop = std::ranges::find_if(move.stops, here); stop != move.stops.end())
        CHECK(move.changes[i] == (stop->above ? 0.3 : -0.3));
      else
        inside.push_back(after[i]);
    }
    CHECK(value < 0);
    if (inside.size() > 1)
      for (const double f : inside) CHECK(f == doctest::Approx(inside[0]).epsilon(1e-3));
  }
  CHECK(stopped > 20);
}

TEST_CASE("a kernel that is not positive semi-definite is not used") {
  CHECK_FALSE(FreeVariables({1, 0, 2, 1}, 2).usable());
  CHECK_FALSE(FreeVariables({0, 0, 0, 0}, 2).usable());
}

}  // namespace semblance::numerics::free_variables_test
