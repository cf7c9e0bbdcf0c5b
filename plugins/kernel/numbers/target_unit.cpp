// SPDX-License-Identifier: MIT
#include "numbers/target_unit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

double median(std::span<const double> numbers, std::span<const double> weights, double total) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
  double sum = 0;
  for (const std::size_t i : order)
    if (sum += weights[i]; weights[i] > 0 && sum >= total / 2) return numbers[i];
  return numbers[order.back()];
}

}  // namespace

TargetUnit target_unit(std::span<const double> numbers, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  TargetUnit made;
  made.centre = median(numbers, weights, total);
  double deviation = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (weights[i] > 0) deviation += weights[i] / total * std::abs(numbers[i] - made.centre);
  if (!std::isfinite(deviation))
    throw Error("the target's numbers differ by more than double holds; divide them by a constant");
  if (deviation == 0) return made;
  made.unit = std::exp2(std::clamp(std::ilogb(deviation), -1000, 1000));
  made.spread = deviation / made.unit;
  return made;
}

}  // namespace semblance::kernel
