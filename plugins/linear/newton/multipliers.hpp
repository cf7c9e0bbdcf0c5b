// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// Minimises 1/2 |w|^2 + C sum_i u_i s max(0, |t_i - w.x_i| - epsilon) for some target numbers of a
/// regression, where the slope s may differ between estimates below and above the target (Vapnik's
/// loss; Koenker and Bassett's quantile loss with epsilon = 0), by the method of multipliers, with
/// Newton's method for each of its smooth problems (Li, Sun and Toh, A highly efficient semismooth
/// Newton augmented Lagrangian method for solving Lasso problems, SIAM J. Optim. 28, 2018; Yan and
/// Li, An efficient augmented Lagrangian method for support vector machine, Optim. Methods
/// Softw. 35, 2020).
///
/// With multipliers v_i in [-C s, C s] and a penalty p, a smooth problem has the squared tube loss
/// p/2 max(0, |t_i + v_i / p - w.x_i| - epsilon)^2, continued linearly where its slope exceeds C s.
/// Its derivatives at the optimum are the next multipliers. They are a feasible dual point, which
/// bounds the objective from below at every step.
///
/// All problems share the sweeps over the rows. On a stop request the best weights are returned.
/// Collective.
Solution minimise_absolute(const LinearTask& task, std::size_t first, std::size_t count,
                           Context& context);

/// Bytes that it needs in addition to Newton's method.
std::size_t multipliers_bytes(std::size_t rows, std::size_t count) noexcept;

/// C sum_i u_i s max(0, |t_i| - epsilon) for the same problems.
std::vector<double> absolute_losses_at_zero(const LinearTask& task, std::size_t first,
                                            std::size_t count);

}  // namespace semblance::linear
