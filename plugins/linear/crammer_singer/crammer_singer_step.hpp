// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace semblance::linear {

/// The subproblem of one sample in Crammer and Singer's dual: min_a 1/2 A |a|^2 + b.a with sum a =
/// 0, a_own <= C and a_m <= 0 for the other classes, solved exactly by sorting (Keerthi et al.
/// 2008, section 3; Crammer and Singer 2001, section 6).
class CrammerSingerStep {
 public:
  explicit CrammerSingerStep(std::size_t classes) : linear_(classes), sorted_(classes) {}

  /// The violation of the sample's optimality condition: the largest slope minus the smallest slope
  /// of an entry that may grow; at most 0 at the optimum.
  static double violation(std::span<const double> slope, std::span<const double> alpha,
                          std::size_t own, double cost);

  /// Replaces alpha by the solution, given the slope at alpha and the curvature A >= 0.
  void solve(double curvature, std::span<const double> slope, std::size_t own, double cost,
             std::span<double> alpha);

 private:
  std::vector<double> linear_, sorted_;
};

}  // namespace semblance::linear
