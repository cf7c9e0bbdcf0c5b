// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/run_record.hpp"

namespace semblance {

/// The figures that tell a node's result in a line: those that its component declares to, in their
/// order, as far as it reported them; where there are none, the first numbers that it reported.
std::vector<std::string> headline_figures(const NodeRecord& node);

}  // namespace semblance
