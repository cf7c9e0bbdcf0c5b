// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "newton/squared_losses.hpp"

namespace semblance::linear {

/// Approaches the optima of stiff problems, in which most rows that are active at w = 0 are not at
/// the optimum: Newton steps from there would take an exact Hessian of many rows each. Splitting
/// (Lions and Mercier, SIAM J. Numer. Anal. 16, 1979; with one penalty the method of multipliers
/// with alternating directions, Boyd et al., Foundations and Trends in Machine Learning 3, 2011)
/// alternates between the rows' losses and a least squares problem, whose matrix I + penalty X^T X
/// is the same for all problems and iterations. So an iteration is one sweep for all problems. It
/// finds most of the active rows; Newton steps then find the others.
class Splitting {
 public:
  /// `penalty`: the curvature with which rows are held at their own points.
  Splitting(SquaredLosses& problem, double penalty) noexcept
      : problem_(problem), penalty_(penalty) {}

  /// Computes weights after this number of iterations, each of which takes a sweep. Throws Error if
  /// it takes more than `memory` bytes. False if a stop was requested. Collective.
  bool solve(SquaredLosses::Live live, std::size_t iterations, std::size_t memory,
             Vectors<double>& w) const;

 private:
  SquaredLosses& problem_;
  double penalty_;
};

}  // namespace semblance::linear
