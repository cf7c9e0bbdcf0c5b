// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/run_record.hpp"

namespace semblance {

/// The figures that summarize a node's result in a line: the reported ones that its component
/// declares as headlines, in their order; if there are none, the first numbers that it reported.
std::vector<std::string> headline_figures(const NodeRecord& node);

}  // namespace semblance
