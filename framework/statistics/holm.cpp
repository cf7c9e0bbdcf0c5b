// SPDX-License-Identifier: MIT
#include "statistics/holm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace semblance::statistics {

std::vector<std::optional<double>> holm_correction(std::span<const std::optional<double>> p) {
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] && !std::isnan(*p[i])) tested.push_back(i);
  std::ranges::stable_sort(tested, {}, [&](std::size_t i) { return *p[i]; });
  std::vector<std::optional<double>> corrected(p.size());
  double greatest = 0;
  for (std::size_t rank = 0; rank < tested.size(); ++rank) {
    const auto remaining = static_cast<double>(tested.size() - rank);
    greatest = std::max(greatest, std::min(1.0, remaining * *p[tested[rank]]));
    corrected[tested[rank]] = greatest;
  }
  return corrected;
}

}  // namespace semblance::statistics
