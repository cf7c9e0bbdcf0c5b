// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "linear/linear_task.hpp"
#include "linear/solution.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance::solvers {

/// The declarations of what the functions below report, and train_seconds.
std::vector<FigureInfo> linear_figures();

/// What became of C itself: certificate, objective, gap, the course of the training, and a table of
/// the problems with their squared norms |w|^2, the weight of the appended constant included.
void report_solution(const Solution& solution, const LinearTask& task, Report& report);

/// For each cost its objective, training error and weights that are not zero: curves and a table.
/// Reads the rows once a cost. Nothing where there is only one cost, or after a stop request.
/// Collective.
void report_path(const std::vector<Solution>& solutions, const LinearTask& task, Report& report,
                 Context& context);

}  // namespace semblance::solvers
