// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// The weighted means and variances of the columns of all ranks, in double.
struct ColumnMoments {
  std::vector<double> means;
  std::vector<double> variances;
};

/// Those of the rows of a task, by their weights, so that a weight of 2 counts like the row twice.
/// Unusable if a stop was requested. Collective.
ColumnMoments column_moments(const LinearTask& task, Context& context);

/// Solves the task by a method. With LinearTask::about_means it does so for the rows minus the
/// weighted means m of their columns: f(x) = w.(x - m) + b has the same solutions at any level of
/// the columns, although b is regularized. Objectives, bounds and weights are those of this
/// problem; Solution::offsets has -w.m.
///
/// Dense rows are copied (problem/centred_rows.hpp), except where all means are 0 but for rounding.
/// Sparse rows stay sparse: the method gets LinearTask::centre. Only columns that hardly any row
/// lacks and that are far from 0 are shifted there, so that no product loses digits. Collective.
std::vector<Solution> train_about_means(const LinearTask& task, const SolveCosts& method,
                                        Context& context);

}  // namespace semblance::linear
