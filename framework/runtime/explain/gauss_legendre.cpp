// SPDX-License-Identifier: MIT
#include "runtime/explain/gauss_legendre.hpp"

#include <cmath>
#include <numbers>

namespace semblance {
namespace {

/// The Legendre polynomial of degree n at x, and its derivative.
struct Legendre {
  double value, slope;
};

Legendre legendre(std::size_t n, double x) {
  double before = 1, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (before - x * value) / (1 - x * x)};
}

/// Root i of the polynomial of degree n, the largest first, by Newton's method.
double root(std::size_t n, std::size_t i) {
  double x =
      std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
  constexpr int most_steps = 100;
  for (int step = 0; step < most_steps; ++step) {
    const Legendre p = legendre(n, x);
    x -= p.value / p.slope;
    if (std::abs(p.value / p.slope) < 1e-15) break;
  }
  return x;
}

}  // namespace

QuadratureRule gauss_legendre(std::size_t n) {
  if (n == 1) return {{0.5}, {1}};
  QuadratureRule rule{std::vector<double>(n), std::vector<double>(n)};
  // The roots are symmetric about 0.
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    const std::size_t opposite = n - 1 - i;
    const double x = i == opposite ? 0 : root(n, i);
    const double slope = legendre(n, x).slope;
    rule.nodes[i] = (1 + x) / 2;
    rule.nodes[opposite] = (1 - x) / 2;
    rule.weights[i] = rule.weights[opposite] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace semblance
