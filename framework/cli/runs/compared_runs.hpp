// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/runs/finished_run.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// The figure to compare.
struct ComparedFigure {
  std::string node;    ///< empty: the evaluators
  std::string figure;  ///< empty: the first headline figure, preferring an error to an accuracy
  Better better = Better::none;  ///< none: according to the figure's declaration
};

/// The figures that a component declares; used if a run's folder does not declare them.
using InstalledFigures = std::function<std::vector<FigureInfo>(const std::string& component)>;

/// The meaning of a figure: from the run's folder, or from the installed components.
FigureInfo meaning_of(const FinishedRun& run, const std::string& node, const std::string& figure,
                      const InstalledFigures& installed);

/// The table of some runs, compared with the first. A method is a run, or all runs of one pipeline
/// that differ only in their seed; the seeds are then the blocks. If several nodes of a run are
/// compared, each is a method METHOD:NODE. Throws UsageError for an unknown figure, and if it is
/// unclear or contradictory which of two values is better.
ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const ComparedFigure& compared,
                          const InstalledFigures& installed);

}  // namespace semblance::cli
