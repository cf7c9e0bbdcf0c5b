// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// The squared hinge of every class against the rest (or of the second of two classes against the
/// first), or the loss of every target of a regression, l2-regularized, on sparse rows: dual
/// coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent
/// method for large-scale linear SVM, ICML 2008; Ho and Lin, Large-scale linear support vector
/// regression, JMLR 13, 2012). All problems go through the rows together, so that each row is read,
/// and each of its columns looked up, once for all problems. The order of the rows is drawn anew
/// for each pass, with a fixed seed.
///
/// Passes hold the weights of classes in float32 where these fit, half the memory traffic; what is
/// evaluated and returned is double. The gap that the rows of a pass meet says when an evaluation
/// is worth it.
///
/// If C is large or rows are similar, steps of single variables hinder each other. A class that
/// converges slowly continues alone with Newton steps (projected_newton.hpp), as do two classes
/// from the start. If the largest gap of a regression hardly shrinks between evaluations, or after
/// `max_iterations` passes, descent ends with the present weights (certificate 'iteration limit'),
/// which are meant as the starting point of Newton's method in the primal (newton.hpp).
///
/// At evaluations w = sum alpha_i y_i x_i is computed anew, and with it both objectives: a
/// problem is done when they agree within the tolerance. One solution per cost, each from the
/// optimum of the previous one. On a stop request the best weights so far are returned. The bits do
/// not depend on the number of threads.
///
/// `primal`, if given, is tried on classes that converge slowly, before Newton steps.
using TryPrimal = std::function<Solution(double cost, Solution start)>;
std::vector<Solution> descend_dual(const LinearTask& task, Context& context, TryPrimal primal = {});

/// Bytes that it needs in addition to the rows.
std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept;

}  // namespace semblance::linear
