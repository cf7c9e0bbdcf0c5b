// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/linear_task.hpp"
#include "linear/solution.hpp"

namespace semblance::solvers {

/// The squared hinge of every class against the rest (or of the second of two classes against the
/// first), l2-regularized, on sparse rows: dual coordinate descent (Hsieh, Chang, Lin, Keerthi and
/// Sundararajan, A dual coordinate descent method for large-scale linear SVM, ICML 2008). All
/// problems go through the rows together, so that each row is read, and each of its columns looked
/// up, once for all of them; the order of the rows is drawn anew for each pass, by a fixed seed.
///
/// Where C is large, or rows are much alike, steps of single variables hinder each other: descent
/// that hardly narrows the largest gap from one look to the next, or that has made `max_iterations`
/// passes, ends with what it has (certificate 'iteration limit'). It is meant as
/// the beginning of Newton's method then (newton.hpp).
///
/// Every few passes w = sum alpha_i y_i x_i is computed anew, and with it both objectives: a
/// problem is done when they are within the tolerance of each other. One solution a cost, each from
/// the optimum of the one before. On a stop request the best weights so far are returned. The bits
/// do not depend on the number of threads. Throws Error with the arithmetic where the memory budget
/// is too small.
std::vector<Solution> descend_dual(const LinearTask& task, Context& context);

/// Bytes that it holds besides the rows.
std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept;

}  // namespace semblance::solvers
