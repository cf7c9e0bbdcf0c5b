// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance::linear {

/// The choice of C by cross-validation on the training samples.
struct CostChoice {
  std::vector<double> costs;   ///< increasing
  std::vector<double> errors;  ///< share of misclassified held-out samples, by weight; with `best`
  /// The smallest error; ties, also those but for rounding (better_candidate.hpp), go to the
  /// smaller cost.
  std::size_t best = 0;
  std::size_t trainings = 0;
  std::size_t unconverged = 0;  ///< trainings that ended at the iteration limit
};

/// The costs to choose from if none are listed: decades from 0.01 to 10,000, divided by the mean
/// squared norm of the samples, by weight. Collective.
std::vector<double> automatic_costs(const LinearTask& task, Context& context);

/// One solution per cost of a task.
using SolveCosts = std::function<std::vector<Solution>(const LinearTask& task, Context& context)>;

/// Trains for all costs of `task` on all folds but one, for each, and counts the errors on the
/// fold. Held-out samples have the weight 0. `fold_of`: the fold of each sample; no_part (see
/// semblance/row_groups.hpp): never held out. With `in_span`, where columns outnumber the samples
/// by far, all of this happens in coordinates of their span (newton/span_newton.hpp), computed
/// once. After a stop request, the choice is that of the folds done so far. Throws Error with the
/// arithmetic if the memory budget is too small. Collective.
CostChoice choose_cost(const LinearTask& task, std::span<const std::size_t> fold_of, bool in_span,
                       const SolveCosts& solve, Context& context);

/// The figures that report_choice() reports.
std::vector<FigureInfo> choice_figures();

/// Reports the choice, a table and a curve of all costs. Warns if the best is at an end of the
/// range and the next one is worse.
void report_choice(const CostChoice& choice, Report& report, Context& context);

}  // namespace semblance::linear
