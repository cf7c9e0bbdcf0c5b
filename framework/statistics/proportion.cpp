// SPDX-License-Identifier: MIT
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "statistics/summary.hpp"

namespace semblance::statistics {

namespace {

/// For a `share` of `n` independent trials, where `z` is the quantile of 97.5 %.
Interval wilson_interval(double share, double n, double z) {
  const double centre = share + z * z / (2 * n);
  const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // Rounding must not exclude the ends where all trials agree.
  return {share == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          share == 1 ? 1 : std::min(1.0, (centre + reach) / scale)};
}

}  // namespace

Interval wilson_interval(std::size_t part, std::size_t whole) {
  constexpr double z = 1.959963984540054;  // of the normal distribution
  return wilson_interval(static_cast<double>(part) / static_cast<double>(whole),
                         static_cast<double>(whole), z);
}

Interval wilson_interval(std::size_t part, std::size_t whole, double standard_error,
                         std::size_t groups) {
  const auto rows = static_cast<double>(whole), count = static_cast<double>(groups);
  const double share = static_cast<double>(part) / rows;
  const double independent = share * (1 - share) / (standard_error * standard_error);
  return wilson_interval(share, standard_error > 0 ? std::min(rows, independent) : count,
                         boost::math::quantile(boost::math::students_t(count - 1), 0.975));
}

}  // namespace semblance::statistics
