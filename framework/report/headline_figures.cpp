// SPDX-License-Identifier: MIT
#include "report/headline_figures.hpp"

#include <algorithm>

namespace semblance {

std::vector<std::string> headline_figures(const NodeRecord& node) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const FigureInfo& declared : node.figures)
    for (const auto& [name, value] : node.metrics.items())
      if (declared.headline && value.is_number() && declared.matches(name) &&
          std::ranges::find(names, name) == names.end())
        names.push_back(name);
  if (!names.empty()) return names;
  for (const auto& [name, value] : node.metrics.items())
    if (names.size() < most && value.is_number()) names.push_back(name);
  return names;
}

}  // namespace semblance
