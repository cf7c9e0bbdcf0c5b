// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/convergence.hpp"

namespace semblance::pairs {

/// min over a and b of 1/2 a K a + C sum_i max(0, 1 - y_i f_i)^2 with f = K a + b, given products
/// with K, which is symmetric and positive semi-definite.
struct NewtonSvm {
  std::function<void(std::span<const double> v, std::span<double> u)> multiply;  ///< u = K v
  double cost = 1;
  double tolerance = 1e-8;             ///< of the linear systems
  std::size_t most_iterations = 2000;  ///< per linear system
};

struct NewtonSvmFit {
  std::vector<double> coefficients;  ///< a
  double intercept = 0;              ///< b
  double objective = 0;
  double bound = 0;  ///< no smaller objective is possible
  double squared_norm = 0;
  std::size_t iterations = 0;  ///< of conjugate gradients
  bool converged = false;      ///< objective - bound is at most `wanted_gap` of the objective
  bool stopped = false;
  numerics::Convergence convergence = {};  ///< the gap as a share of the objective
};

/// The gap of NewtonSvmFit::converged, as a share of the objective.
inline constexpr double wanted_gap = 1e-4;

/// `signs`: y, 1 or -1 each, both of them present. Newton's method on the pairs with a loss
/// (Keerthi and DeCoste 2005): with these, (K + I / (2 C)) a + b = y and sum a = 0; a is 0 for the
/// others. It ends when these pairs stay the same, or with a gap of at most 1e-7 of the objective.
NewtonSvmFit minimize(const NewtonSvm& problem, std::span<const double> signs, Context& context);

}  // namespace semblance::pairs
