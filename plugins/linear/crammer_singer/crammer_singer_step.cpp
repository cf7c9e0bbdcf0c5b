// SPDX-License-Identifier: MIT
#include "crammer_singer/crammer_singer_step.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace semblance::linear {

double CrammerSingerStep::violation(std::span<const double> slope, std::span<const double> alpha,
                                    std::size_t own, double cost) {
  double largest = -std::numeric_limits<double>::infinity(), smallest = -largest;
  for (std::size_t m = 0; m < slope.size(); ++m) {
    largest = std::max(largest, slope[m]);
    if (alpha[m] < (m == own ? cost : 0)) smallest = std::min(smallest, slope[m]);
  }
  return largest - smallest;
}

void CrammerSingerStep::solve(double curvature, std::span<const double> slope, std::size_t own,
                              double cost, std::span<double> alpha) {
  const std::size_t k = slope.size();
  if (curvature == 0) {  // a row of zeros
    std::fill(alpha.begin(), alpha.end(), 0.0);
    const auto rival =
        static_cast<std::size_t>(std::max_element(slope.begin(), slope.end()) - slope.begin());
    alpha[own] += cost;
    alpha[rival] -= cost;
    return;
  }
  for (std::size_t m = 0; m < k; ++m) linear_[m] = slope[m] - curvature * alpha[m];
  sorted_ = linear_;
  sorted_[own] += curvature * cost;
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  // The multiplier of sum a = 0: the entries below their bound balance those at the bounds.
  double sum = sorted_[0] - curvature * cost;
  std::size_t below = 1;
  while (below < k && sum < static_cast<double>(below) * sorted_[below]) sum += sorted_[below++];
  const double multiplier = sum / static_cast<double>(below);
  for (std::size_t m = 0; m < k; ++m)
    alpha[m] = std::min(m == own ? cost : 0.0, (multiplier - linear_[m]) / curvature);
}

}  // namespace semblance::linear
