// SPDX-License-Identifier: MIT
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "statistics/summary.hpp"

namespace semblance::statistics {

Interval wilson_interval(std::size_t part, std::size_t whole, std::size_t groups,
                         double standard_error) {
  auto n = static_cast<double>(whole);
  const double share = static_cast<double>(part) / n;
  double z = 1.959963984540054;  // the normal distribution's quantile of 97.5 %
  if (groups > 0) {
    const auto count = static_cast<double>(groups);
    z = boost::math::quantile(boost::math::students_t(count - 1), 0.975);
    const double independent = share * (1 - share) / (standard_error * standard_error);
    n = standard_error > 0 ? std::min(n, independent) : count;
  }
  const double centre = share + z * z / (2 * n);
  const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // Rounding must not exclude the ends where all trials agree.
  return {part == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          part == whole ? 1 : std::min(1.0, (centre + reach) / scale)};
}

}  // namespace semblance::statistics
