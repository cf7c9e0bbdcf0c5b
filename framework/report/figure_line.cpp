// SPDX-License-Identifier: MIT
#include "report/figure_line.hpp"

#include <fmt/format.h>

#include "report/headline_figures.hpp"
#include "support/figure_text.hpp"

namespace semblance {

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
