// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// The squared hinge of every class against the rest, or of the second of two classes against the
/// first, l2-regularized, on sparse rows, each class by the passes and steps of
/// projected_newton.hpp. One solution per cost, each from the optimum of the previous one. On a
/// stop request the best weights so far are returned. A solution with the certificate 'iteration
/// limit' is meant as the starting point of Newton's method in the primal (newton.hpp). The bits do
/// not depend on the number of threads.
std::vector<Solution> descend_dual(const LinearTask& task, Context& context);

/// Bytes that it needs in addition to the rows.
std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept;

}  // namespace semblance::linear
