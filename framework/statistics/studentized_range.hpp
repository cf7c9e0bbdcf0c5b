// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::statistics {

/// The probability that `count` independent standard normal values are within `range` of each
/// other. This is the studentized range with infinitely many degrees of freedom, k * integral of
/// phi(z) (Phi(z) - Phi(z - range))^(k - 1) over z, the greatest value (H. L. Harter, "Tables of
/// range and studentized range", Annals of Mathematical Statistics 31(4), 1960). `count` is at
/// least 2. Accurate to 1e-10.
double studentized_range_cdf(double range, std::size_t count);

/// The range that is not exceeded with probability `probability`, between 0 and 1 exclusively.
double studentized_range_quantile(double probability, std::size_t count);

}  // namespace semblance::statistics
