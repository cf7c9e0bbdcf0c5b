// SPDX-License-Identifier: MIT
#include "statistics/paired_t.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "statistics/summary.hpp"

namespace semblance::statistics {

std::optional<double> paired_t_test(std::span<const double> differences) {
  if (differences.size() < 2 || !all_finite(differences)) return std::nullopt;
  if (std::ranges::all_of(differences, [](double d) { return d == 0; })) return 1.0;
  const Summary s = summary(differences);
  // The same bound as R's t.test: below it the spread is rounding.
  constexpr double rounding = 10 * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(s.standard_error) || s.standard_error <= rounding * std::abs(s.mean))
    return std::nullopt;
  const boost::math::students_t distribution(static_cast<double>(s.count - 1));
  const double t = std::abs(s.mean / s.standard_error);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(distribution, t)));
}

}  // namespace semblance::statistics
