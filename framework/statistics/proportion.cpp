// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "statistics/summary.hpp"

namespace semblance::statistics {

Interval wilson_interval(std::size_t part, std::size_t whole) {
  constexpr double z = 1.959963984540054;  // the normal distribution's quantile of 97.5 %
  const auto n = static_cast<double>(whole);
  const double share = static_cast<double>(part) / n;
  const double centre = share + z * z / (2 * n);
  const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  // Rounding must not exclude the ends where all trials agree.
  return {part == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          part == whole ? 1 : std::min(1.0, (centre + reach) / scale)};
}

}  // namespace semblance::statistics
