// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace semblance {

/// One number of a range.
struct RangeValue {
  std::string name;  ///< short and rounded, different for every number: "0.316"
  std::string text;  ///< the number itself, with up to 15 significant digits: "0.316227766016838"
};

/// `steps` numbers from `from` to `to`, both included: equally spaced, or on a logarithmic scale
/// equal factors apart. The numbers between are rounded to 15 significant digits, so that 0.1 to
/// 0.5 in five steps has 0.3 and not 0.30000000000000004. Empty if two of them would be equal.
/// `steps` is at least 2, `from` is less than `to`; on a logarithmic scale `from` is positive.
std::vector<RangeValue> range_values(double from, double to, std::size_t steps, bool logarithmic);

}  // namespace semblance
