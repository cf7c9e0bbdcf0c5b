// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// The subproblem of one sample in Crammer and Singer's dual: min_a 1/2 A |a|^2 + b.a with sum a =
/// 0, a_own <= C and a_m <= 0 for the other classes, solved exactly (Keerthi et al. 2008,
/// section 3) by Michelot's method (J. Optim. Theory Appl. 50, 1986).
class CrammerSingerStep {
 public:
  explicit CrammerSingerStep(std::size_t classes) : linear_(classes) {}

  /// The violation of the sample's optimality condition: the largest slope minus the smallest slope
  /// of an entry that may grow; at most 0 at the optimum.
  static double violation(std::span<const double> slope, std::span<const double> alpha,
                          std::size_t own, double cost);

  /// Replaces alpha by the solution, given the slope at alpha and the curvature A >= 0.
  void solve(double curvature, std::span<const double> slope, std::size_t own, double cost,
             std::span<double> alpha);

 private:
  std::vector<double> linear_;
};

/// Crammer and Singer's machine, LIBLINEAR's -s 4: min 1/2 sum_m |w_m|^2 + C sum_i u_i max_m (1 -
/// [m = y_i] + w_m.x_i - w_{y_i}.x_i), one solution per cost. Its outcome is that of a single
/// problem, with the largest violation of the dual's optimality condition as gradient norm (1 at w
/// = 0).
///
/// A sequential dual method (Keerthi et al., A sequential dual method for large scale multi-class
/// linear SVMs, 2008): the exact solution of one sample's subproblem after the other, in a random
/// order with a fixed seed. Samples that do not change are omitted until the active ones are
/// solved. The objectives are computed on all threads, the steps on one.
std::vector<Solution> train_crammer_singer(const LinearTask& task, Context& context);

}  // namespace semblance::linear
