// SPDX-License-Identifier: MIT
#include "statistics/studentized_range.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

namespace semblance::statistics {
namespace {

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

/// Phi(high) - Phi(low), computed in the tail where both are small.
double normal_between(double low, double high) {
  const double root = std::numbers::sqrt2;
  if (low > 0) return (std::erfc(low / root) - std::erfc(high / root)) / 2;
  return (std::erfc(-high / root) - std::erfc(-low / root)) / 2;
}

}  // namespace

double studentized_range_cdf(double range, std::size_t count) {
  if (!(range > 0)) return 0;
  const auto k = static_cast<double>(count);
  const auto integrand = [&](double z) {
    return density(z) * std::pow(normal_between(z - range, z), k - 1);
  };
  // The probability beyond 9 standard deviations is below 1e-18; the pieces resolve narrow peaks.
  double sum = 0;
  for (int low = -9; low < 9; low += 3)
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, low, low + 3,
                                                                         10, 1e-12);
  return std::clamp(k * sum, 0.0, 1.0);
}

double studentized_range_quantile(double probability, std::size_t count) {
  const auto excess = [&](double range) {
    return studentized_range_cdf(range, count) - probability;
  };
  std::uintmax_t iterations = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      excess, 0.0, 20.0, boost::math::tools::eps_tolerance<double>(45), iterations);
  return (low + high) / 2;
}

}  // namespace semblance::statistics
