// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// min_w |w|_1 + C sum_i u_i max(0, 1 - y_i w.x_i)^2 of all problems, LIBLINEAR's -s 5: a proximal
/// Newton method on a working set of columns, all problems in lock-step so that one sweep over the
/// rows serves all of them. A problem's working set consists of the columns in use and at most the
/// same number of other columns, those that violate their optimality condition most. The
/// generalized Hessian of its active rows and these columns is exact, and is stored and updated
/// while the set is used. The lower bound comes from alpha_i = 2C u_i max(0, 1 - y_i f_i) scaled to
/// |sum alpha_i y_i x_i| <= 1 in every column.
///
/// The problems are `count` of the task from `first` on. Its costs increase; each is solved from
/// the optimum of the previous one. On a stop request the last point is returned for all remaining
/// costs. Collective.
std::vector<Solution> minimise_l1(const LinearTask& task, std::size_t first, std::size_t count,
                                  Context& context);

}  // namespace semblance::linear
