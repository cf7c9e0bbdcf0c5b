// SPDX-License-Identifier: MIT
#include "semblance/target_strata.hpp"

#include <algorithm>
#include <cmath>

namespace semblance {

std::vector<std::size_t> order_of_targets(std::span<const double> targets, std::size_t width) {
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row * width < targets.size(); ++row)
    if (!std::isnan(targets[row * width])) order.push_back(row);
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return targets[row * width]; });
  return order;
}

std::vector<std::int32_t> target_strata(std::span<const double> targets, std::size_t width,
                                        std::size_t size) {
  const std::vector<std::size_t> order = order_of_targets(targets, width);
  std::vector<std::int32_t> strata(targets.size() / width, -1);
  const std::size_t last = std::max<std::size_t>(order.size() / size, 1) - 1;
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    strata[order[rank]] = static_cast<std::int32_t>(std::min(rank / size, last));
  return strata;
}

}  // namespace semblance
