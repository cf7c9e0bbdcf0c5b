// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/run_record.hpp"

namespace semblance {

/// A figure as shown on the terminal: "97.50 %".
std::string terminal_text(FigureUnit unit, double value);

/// The figures that summarize a node's result: "  accuracy 97.50 %  error_rate 2.50 %".
std::string figure_line(const NodeRecord& node);

}  // namespace semblance
