// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance::linear {

/// The declarations of the figures reported by report_solution(), and train_seconds.
std::vector<FigureInfo> machine_figures();

/// Those of report_path().
std::vector<FigureInfo> path_figures();

/// Reports the solution for C itself: certificate, objective, gap, the progress of the training,
/// and a table of the problems with their squared norms |w|^2, including the weight of the appended
/// constant.
void report_solution(const Solution& solution, const LinearTask& task, Report& report);

/// The weight of the rows that `takes` names, and of those among them that a solution
/// misclassifies. Collective.
struct Misclassified {
  double wrong = 0, all = 0;
};
Misclassified misclassified(const Solution& solution, const LinearTask& task,
                            const std::function<bool(std::size_t row)>& takes, Context& context);

/// Reports objective, training error and number of nonzero weights for each cost, as curves and a
/// table. Reads the samples once per cost. Does nothing for a single cost or after a stop request.
/// Collective.
void report_path(const std::vector<Solution>& solutions, const LinearTask& task, Report& report,
                 Context& context);

}  // namespace semblance::linear
