// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"
#include "tuning/cost_choice.hpp"

namespace semblance::linear {

/// The costs to choose from if none are listed: decades from 0.01 to 10,000, divided by the mean
/// squared norm of the samples, by weight; of the samples about their means, if the task is about
/// them. Collective.
std::vector<double> automatic_costs(const LinearTask& task, Context& context);

/// The weights of the training samples where only those train for which `trains` is not 0.
using WeightsOf = std::function<std::vector<double>(std::span<const char> trains)>;

/// Trains for all costs of `task` on all folds but one, for each, and counts the errors on the
/// fold, by the task's weights. Held-out samples have the weight 0; the others have those of
/// `weights_of`. `fold_of`: the fold of each sample; no_part (see semblance/row_groups.hpp): never
/// held out. With `in_span`, where columns outnumber the samples, all of this happens in
/// coordinates of their span, computed once. After a stop request, the choice is that of the folds
/// done so far. Throws Error with the arithmetic if the memory budget is too small. Collective.
common::CostChoice choose_cost(const LinearTask& task, std::span<const std::size_t> fold_of,
                               const WeightsOf& weights_of, bool in_span, const SolveCosts& solve,
                               Context& context);

}  // namespace semblance::linear
