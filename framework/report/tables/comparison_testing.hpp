// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

namespace semblance::testing {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

inline Method method(const std::string& name, const std::vector<double>& values) {
  Method result{name, {}, {}};
  for (const double value : values) result.measurements.push_back({value, "", {}, ""});
  return result;
}

inline ResultTable table(const std::vector<std::vector<double>>& values) {
  ResultTable result{"error_rate", false, {}, {}, {}, 0};
  for (std::size_t i = 0; i < values.size(); ++i)
    result.methods.push_back(method(std::string(1, static_cast<char>('a' + i)), values[i]));
  for (std::size_t b = 0; b < values.front().size(); ++b)
    result.blocks.push_back("seed " + std::to_string(b));
  return result;
}

}  // namespace semblance::testing
