// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "newton/shared_preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::linear {

/// The stopping rule for the iterations of a problem.
struct CgTarget {
  double reduction = 0.1;  ///< of the residual's norm in the preconditioner's metric
  double residual = 0;     ///< also of its Euclidean norm, unless 0
  double radius = 0;       ///< the largest length of the step
};

/// The result for one problem.
struct CgStep {
  double length = 0;  ///< |s| in the preconditioner's norm
  bool at_radius = false;
};

/// Solves H s = -g approximately for the live problems in lock-step, within a trust region
/// (Steihaug 1983); one Hessian product for all problems takes one sweep over the rows.
class ConjugateGradients {
 public:
  ConjugateGradients(SquaredHinge& problem, const SharedPreconditioner& preconditioner);

  /// False if a stop was requested.
  bool solve(const Vectors<double>& gradient, SquaredHinge::Live live,
             const std::vector<CgTarget>& targets, Vectors<double>& steps);

  const std::vector<CgStep>& results() const noexcept { return results_; }
  std::size_t sweeps() const noexcept { return sweeps_; }
  std::size_t products(std::size_t problem) const noexcept { return products_[problem]; }

  /// Saves and restores the counts of products. Results are not saved.
  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);

  static std::size_t bytes(std::size_t dimension, std::size_t problems) noexcept {
    return 3 * problems * padded(dimension) * sizeof(double);
  }

 private:
  /// The recurrences of one problem.
  struct State {
    double rho = 0;                 // r.M^-1 r
    double start = 0;               // rho at the beginning
    double ss = 0, sp = 0, pp = 0;  // products of step and direction in M's metric
    bool finished = false;
  };

  void advance(std::size_t problem, const CgTarget& target, double* step);
  bool turn(std::size_t problem, const CgTarget& target);

  SquaredHinge& problem_;
  const SharedPreconditioner& preconditioner_;
  Vectors<double> residual_, direction_, product_;
  std::vector<State> states_;
  std::vector<CgStep> results_;
  std::size_t sweeps_ = 0;
  std::vector<std::size_t> products_;  // per problem, in total
};

}  // namespace semblance::linear
