// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/finished_run.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// What is compared.
struct ComparedFigure {
  std::string node;    ///< empty: the evaluators
  std::string figure;  ///< empty: the first headline figure, of an error and an accuracy the error
  Better better = Better::none;  ///< none: as the figure is declared
};

/// The figures that a component declares; asked where a run's folder does not say what they mean.
using InstalledFigures = std::function<std::vector<FigureInfo>(const std::string& component)>;

/// The table of some runs, against the first: a method is a run, or all runs of one pipeline that
/// differ in their seed alone, whose seeds are the blocks then. Where a run has several nodes that
/// are compared, each is a method METHOD:NODE. Throws UsageError for a figure that is not there,
/// and where it is not clear, or in contradiction, which of two values is better.
ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const ComparedFigure& compared,
                          const InstalledFigures& installed);

}  // namespace semblance::cli
