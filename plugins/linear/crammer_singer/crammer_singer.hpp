// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// Crammer and Singer's machine, LIBLINEAR's -s 4: min 1/2 sum_m |w_m|^2 + C sum_i u_i max_m (1 -
/// [m = y_i] + w_m.x_i - w_{y_i}.x_i), one solution per cost. Its outcome is that of a single
/// problem, with the largest violation of the dual's optimality condition as gradient norm (1 at w
/// = 0).
///
/// A sequential dual method (Keerthi et al., A sequential dual method for large scale multi-class
/// linear SVMs, 2008) on blocks of samples: the products of a block with all w_m, some passes over
/// its samples by their cached Gram matrix, then the change of all w_m. Unchanged samples are
/// omitted until the active ones are solved. Both products run on all threads; the order of the
/// samples is fixed, so the bits do not depend on the threads.
std::vector<Solution> train_crammer_singer(const LinearTask& task, Context& context);

}  // namespace semblance::linear
