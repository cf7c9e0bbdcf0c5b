// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

/// The 95 % confidence interval of a proportion, of which `part` of `whole` independent trials are
/// known (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
/// Journal of the American Statistical Association 22(158), 1927). Within [0, 1]; `whole` is at
/// least 1, and `part` at most `whole`.
Interval wilson_interval(std::size_t part, std::size_t whole);

}  // namespace semblance::statistics
