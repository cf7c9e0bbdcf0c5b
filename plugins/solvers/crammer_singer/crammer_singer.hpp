// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "linear/linear_task.hpp"
#include "linear/solution.hpp"

namespace semblance::solvers {

/// Crammer and Singer's machine, LIBLINEAR's -s 4: min 1/2 sum_m |w_m|^2 + C sum_i u_i max_m (1 -
/// [m = y_i] + w_m.x_i - w_{y_i}.x_i), one solution a cost; its outcome is that of one problem,
/// with the largest violation of the dual's optimality condition as gradient norm (it is 1 at w =
/// 0).
///
/// A sequential dual method (Keerthi et al., A sequential dual method for large scale multi-class
/// linear SVMs, 2008) on blocks of rows: the products of a block with all w_m, some passes over its
/// rows by their Gram matrix, which is kept, then the change of all w_m. Rows that stay as they are
/// are left out until the others are solved. Both products run on all threads; the order of the
/// rows is fixed, so the bits do not depend on the threads.
std::vector<Solution> train_crammer_singer(const LinearTask& task, Context& context);

}  // namespace semblance::solvers
