// SPDX-License-Identifier: MIT
#include "statistics/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::statistics {

Summary summary(std::span<const double> values) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {0, none, none, none};
  // Uses distances from the first value, so that a constant sample stays exact.
  double sum = 0;
  for (const double value : values) sum += value - values.front();
  const double mean = values.front() + sum / n;
  if (values.size() < 2) return {values.size(), mean, none, none};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / (n - 1));
  return {values.size(), mean, deviation, deviation / std::sqrt(n)};
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace semblance::statistics
