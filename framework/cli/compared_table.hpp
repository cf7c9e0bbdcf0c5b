// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/compared_runs.hpp"

namespace semblance::cli {

/// One table of all folders: studies (with study.json), and runs (with metrics.json) with
/// one method per evaluator. `metric` is FIGURE or NODE.FIGURE, empty for a headline figure that
/// all report. Runs of the same pipeline with different seeds become the blocks of one method.
/// Throws Error if the folders cannot be read or compared, UsageError for an unknown metric.
ResultTable compared_table(const std::vector<std::filesystem::path>& folders,
                           const std::string& metric, Better better,
                           const InstalledFigures& installed);

}  // namespace semblance::cli
