// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/finished_run.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// The table of some runs, against the first: a method is a run, or all runs of one pipeline that
/// differ in their seed alone, whose seeds are the blocks then. Where a run has several nodes that
/// are compared, each is a method METHOD:NODE. Without `node` these are the evaluators, without
/// `figure` it is error_rate or eer. Throws UsageError for a figure that is not there.
ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const std::string& node,
                          std::string figure);

}  // namespace semblance::cli
