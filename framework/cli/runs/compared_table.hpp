// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/runs/compared_runs.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// One table of all folders: studies (with study.json), and runs (with metrics.json) with
/// one method per evaluator. `metric` is FIGURE or NODE.FIGURE, empty for a headline figure that
/// all report. Runs of the same pipeline with different seeds become the blocks of one method.
/// Throws Error if the folders cannot be read or compared, UsageError for an unknown metric.
ResultTable compared_table(const std::vector<std::filesystem::path>& folders,
                           const std::string& metric, Better better,
                           const InstalledFigures& installed);

/// The results of a study, compared by another figure that its variants recorded: their folders
/// have it. `table` has the study's methods and blocks, `folder` is the study's. Throws UsageError
/// for a figure that no variant has, or of several nodes, or of which it is unclear which of two
/// values is better; Error if the folders of the variants are missing.
ResultTable table_of_study(const ResultTable& table, const std::filesystem::path& folder,
                           const ComparedFigure& compared, const InstalledFigures& installed);

/// Removes methods that are the same pipelines as an earlier one, by the folders of their variants,
/// and says how many: studies of older versions have them, and Holm's correction would count them.
void merge_twins(ResultTable& table, const std::filesystem::path& folder);

}  // namespace semblance::cli
