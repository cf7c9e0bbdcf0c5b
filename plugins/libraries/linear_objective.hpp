// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::libraries {

enum class LinearLoss { hinge, squared_hinge, logistic, crammer_singer };

/// A linear machine: `vectors` x (columns + 1) weights, the last for the appended bias constant.
/// One vector per class, or a single one for the second of two classes.
struct LinearMachine {
  std::span<const double> weights;
  std::size_t vectors = 0;
  double bias = 0;
};

struct LinearObjective {
  double value = 0;          ///< regularizer + C times the losses, summed over all problems
  double gradient_norm = 0;  ///< largest |g| / |g at w = 0| of a problem; smooth losses only
};

/// The primal objective of LIBLINEAR's problems, in double; with `l1` the regularizer is |w|_1 and
/// the gradient the subgradient of least norm. `weights`: the factor of each row's losses; empty:
/// 1.
LinearObjective linear_objective(const Rows& rows, std::span<const std::int32_t> labels,
                                 const LinearMachine& machine, LinearLoss loss, bool l1,
                                 double cost, std::span<const double> weights = {});

/// w.x of row i in the order of the columns, then the bias: as in LIBLINEAR's predict_values.
double decision_value(MatrixView rows, std::size_t i, const double* w, double bias);

}  // namespace semblance::libraries
