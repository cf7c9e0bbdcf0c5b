// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/past_runs/finished_run.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// What to compare.
struct ComparedFigure {
  std::string node;    ///< empty: of all nodes that report the figure
  std::string figure;  ///< empty: a headline figure that all report
  Better better = Better::none;
};

/// One table of all folders: studies (with study.json), and runs (with metrics.json) with
/// one method per evaluator. `metric` is FIGURE or NODE.FIGURE, empty for a headline figure that
/// all report. Runs of the same pipeline with different seeds become the blocks of one method.
/// Throws Error if the folders cannot be read or compared, UsageError for an unknown metric.
ResultTable compared_table(const std::vector<std::filesystem::path>& folders,
                           const std::string& metric, Better better);

/// The table of some runs, compared with the first. A method is a run, or all runs of one pipeline
/// that differ only in their seed; the seeds are then the blocks. If several nodes of a run are
/// compared, each is a method METHOD:NODE. Throws UsageError for an unknown figure, and if it is
/// unclear or contradictory which of two values is better.
ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const ComparedFigure& compared);

/// The results of a study, compared by another figure that its variants recorded: their folders
/// have it. `table` has the study's methods and blocks, `folder` is the study's. Throws UsageError
/// for a figure that no variant has, or of several nodes, or of which it is unclear which of two
/// values is better; Error if the folders of the variants are missing.
ResultTable table_of_study(const ResultTable& table, const std::filesystem::path& folder,
                           const ComparedFigure& compared);

/// A node of a run whose figure is compared.
struct ReportedBy {
  const FinishedRun* run;
  std::string node;
};

/// The meaning of the figure in all of them, with its direction determined: `wanted` says it where
/// they do not. Throws UsageError where they disagree or it is unknown.
ReportedFigure common_meaning(const std::vector<ReportedBy>& all, const std::string& figure,
                              Better wanted);

/// Removes methods that are the same pipelines as an earlier one, by the folders of their variants,
/// and says how many: studies of older versions have them, and Holm's correction would count them.
void merge_twins(ResultTable& table, const std::filesystem::path& folder);

}  // namespace semblance::cli
