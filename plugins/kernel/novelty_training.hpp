// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel_functions.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// A training of one function f that is at least 0 for all but a share of the samples.
struct NoveltyTask : KernelTask {
  /// The sphere compares samples by their distance to a centre, the plane by their product with a
  /// direction; with the same k(x, x) for all samples these are the same.
  enum class Shape { plane, sphere };
  Shape shape = Shape::plane;
  double nu = 0.5;
  /// The tolerance is a share of the mean k(x, x), or, for a sphere, of the mean squared distance
  /// from the centre of the samples; times nu n if that is below 1.
  numerics::DualOptions options = {};
};

/// k(x, x) for one sample or several.
void compare_with_itself(const Similarity& kernel, MatrixView rows, double* values);

/// A function that is at least 0 for usual samples, and what its training knows of its samples.
struct UsualFunction {
  LearnedFunctions functions;
  std::vector<std::uint32_t> rows;  ///< of the training set
  std::vector<double> weights;      ///< one per row
  std::vector<double> scores;       ///< of the rows, wrong by at most `error`
  double tolerance = 0;             ///< of scores
  double error = 0;
};

/// Learns from the chosen training samples, and reports. With the plane, f is the function of
/// LIBSVM's one-class machine; with the sphere, f(x) - k(x, x) is the squared radius minus the
/// squared distance from the centre.
UsualFunction learn_usual(const NoveltyTask& task, const TrainingSet& training,
                          std::vector<std::uint32_t> chosen, Report& report, Context& context);

/// What to add to all scores: as little as makes no score between -tolerance and 0 negative, and
/// leaves at most a share nu of the samples, by weight, with negative scores.
double threshold_shift(std::span<const double> scores, std::span<const double> weights,
                       double tolerance, double nu);

}  // namespace semblance::kernel
