// SPDX-License-Identifier: MIT
#include "statistics/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace semblance::statistics {

double resolution_of(std::span<const double> values) {
  double greatest = 0;
  for (const double value : values)
    if (std::isfinite(value)) greatest = std::max(greatest, std::abs(value));
  return rounding_of(greatest);
}

Groups groups_of_same(std::span<const double> values) {
  Groups groups;
  groups.order.resize(values.size());
  std::iota(groups.order.begin(), groups.order.end(), std::size_t{0});
  std::ranges::stable_sort(groups.order, [&](std::size_t a, std::size_t b) {
    if (std::isnan(values[a]) || std::isnan(values[b]))
      return !std::isnan(values[a]) && std::isnan(values[b]);
    return values[a] < values[b];
  });
  for (std::size_t first = 0, last = 0; first < values.size(); first = last) {
    for (last = first + 1; last < values.size() &&
                           same_figure(values[groups.order[first]], values[groups.order[last]]);)
      ++last;
    const auto begin = groups.order.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, groups.order.begin() + static_cast<std::ptrdiff_t>(last));
    groups.ends.push_back(last);
  }
  return groups;
}

}  // namespace semblance::statistics
