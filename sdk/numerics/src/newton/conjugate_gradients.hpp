// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance_numerics/newton.hpp"

namespace semblance::numerics {

inline double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

/// Conjugate gradients for H s = -g, all live problems in lock-step, each within a trust region.
class ConjugateGradients {
 public:
  using Live = NewtonOperator::Live;

  /// When a problem ends.
  struct Target {
    double reduction = 0.1;  ///< of the residual's norm in the preconditioner's metric
    double residual = 0;     ///< also of its Euclidean norm, unless 0
    double radius = 0;       ///< the largest length of the step
  };
  struct Step {
    double length = 0;  ///< in the preconditioner's norm
    bool at_radius = false;
  };

  ConjugateGradients(NewtonOperator& functions, SquaredLosses& losses, Context& context);

  /// False if a stop was requested.
  bool solve(const Vectors<double>& gradient, Live live, const std::vector<Target>& targets,
             Vectors<double>& steps);

  const Step& result(std::size_t problem) const noexcept { return results_[problem]; }
  std::size_t sweeps() const noexcept { return sweeps_; }
  std::size_t products(std::size_t problem) const noexcept { return products_[problem]; }

  /// The intercept's step along with s: it keeps the mean of the active samples' functions.
  double intercept_step(std::size_t problem, const double* s) const;

 private:
  /// The recurrences of one problem.
  struct State {
    double rho = 0;                 // r.M^-1 r
    double start = 0;               // rho at the beginning
    double ss = 0, sp = 0, pp = 0;  // products of step and direction in M's metric
    bool finished = false;
  };

  bool begin(const Vectors<double>& gradient, Live live, Vectors<double>& steps);
  bool sum_curvatures(Live live);
  bool multiply(Live open);
  void advance(std::size_t problem, const Target& target, double* step);
  bool turn(std::size_t problem, const Target& target);

  NewtonOperator& functions_;
  SquaredLosses& losses_;
  Context& context_;
  std::size_t d_;
  Vectors<double> residual_, direction_, product_;
  std::vector<State> states_;
  std::vector<Step> results_;
  std::vector<std::size_t> products_;  // per problem, in total
  std::size_t sweeps_ = 0;
  std::vector<float> curvatures_;
  std::vector<double> shifts_;
  Vectors<double> sums_;  // with intercepts: the rows' sums by curvature, and those of curvatures
  std::vector<double> total_;
};

}  // namespace semblance::numerics
