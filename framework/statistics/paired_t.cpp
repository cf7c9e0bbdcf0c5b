// SPDX-License-Identifier: MIT
#include "statistics/paired_t.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "statistics/summary.hpp"

namespace semblance::statistics {

double t_distribution_p(double mean, double standard_error, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  const double t = std::abs(mean / standard_error);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(distribution, t)));
}

std::optional<double> paired_t_test(std::span<const double> differences, double resolution) {
  return resampled_t_test(differences, 0, resolution);
}

std::optional<double> resampled_t_test(std::span<const double> differences, double test_to_train,
                                       double resolution) {
  if (differences.size() < 2 || !all_finite(differences)) return std::nullopt;
  if (!std::isfinite(test_to_train) || test_to_train < 0) return std::nullopt;
  if (std::ranges::all_of(differences, [&](double d) { return std::abs(d) <= resolution; }))
    return 1.0;
  const Summary s = summary(differences);
  // In addition to the caller's bound, that of R's t.test: below it, the spread is rounding.
  constexpr double rounding = 10 * std::numeric_limits<double>::epsilon();
  const double least = std::max(resolution, rounding * std::abs(s.mean));
  if (!std::isfinite(s.standard_error) || s.standard_error <= least) return std::nullopt;
  const auto n = static_cast<double>(s.count);
  return t_distribution_p(s.mean, s.standard_error * std::sqrt(1 + n * test_to_train), n - 1);
}

}  // namespace semblance::statistics
