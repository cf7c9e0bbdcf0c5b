// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

enum class Regularizer { l2, l1 };

/// Minimises the squared hinge of every class against the rest, or of the second of two classes
/// against the first; or the loss of every target number. One solution per cost. Throws Error with
/// the arithmetic if the memory budget is too small. Collective; sparse samples are on one rank.
std::vector<Solution> train_independent_problems(const LinearTask& task, Regularizer regularizer,
                                                 Context& context);

}  // namespace semblance::linear
