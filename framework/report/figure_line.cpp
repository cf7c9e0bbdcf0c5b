// SPDX-License-Identifier: MIT
#include "report/figure_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/figure_text.hpp"

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

std::string terminal_text(FigureUnit unit, double value) {
  std::string text = figure_text(unit, value);
  if (text.ends_with('%')) text.insert(text.size() - 1, " ");
  return text;
}

std::string figure_line(const NodeRecord& node) {
  std::string text;
  for (const std::string& name : headline_figures(node))
    text += fmt::format("  {} {}", name,
                        terminal_text(node.figure(name).unit, node.metrics[name].get<double>()));
  return text;
}

}  // namespace semblance
