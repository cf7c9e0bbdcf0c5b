// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// Target numbers minus a constant each, in a common unit in which the largest is about 1: their
/// size and offset then cost no digits, and can overflow nothing. The unit is a power of 2, so that
/// conversion is exact.
struct ScaledTargets {
  std::vector<double> values;   ///< rows x problems
  std::vector<double> centres;  ///< one per problem
  double unit = 1;
};

/// The numbers of a regression with one problem per target number or, with quantiles, one for each
/// of them. `centred`: subtracts the weighted mean or quantile of each target number, else nothing.
/// `weights`: of the rows; empty: 1 each.
ScaledTargets scaled_targets(const TrainingSet& training, std::span<const double> weights,
                             bool centred, std::span<const double> quantiles);

/// Converts a solution for values in this unit to the unit of the target numbers.
void convert_from(double unit, Solution& solution);

/// The weights of the rows of a regression, empty if all are 1. Throws Error unless there is one
/// per row, all are finite and not negative, and some are above 0.
std::vector<double> regression_weights(const TrainingSet& training);

}  // namespace semblance::linear
