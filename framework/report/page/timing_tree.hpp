// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/run_record.hpp"

namespace semblance {

/// Where the time and the stored bytes of a run went: kinds of components, and their nodes within,
/// the slowest first and closed at first. The nodes of a study that were one node before its
/// variants were merged ("svm[10,seed=1]", "svm[10,seed=2]") are one row. Empty without nodes.
std::string timing_tree_html(const RunRecord& run);

}  // namespace semblance
