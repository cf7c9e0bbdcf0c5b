// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/run_record.hpp"

namespace semblance {

/// The figures that summarize a node's result in a line: the reported ones that its component
/// declares as headlines, in their order; if there are none, the first numbers that it reported.
std::vector<std::string> headline_figures(const NodeRecord& node);

/// A figure as shown on the terminal: "97.50 %".
std::string terminal_text(FigureUnit unit, double value);

/// The figures that summarize a node's result: "  accuracy 97.50 %  error_rate 2.50 %".
std::string figure_line(const NodeRecord& node);

}  // namespace semblance
