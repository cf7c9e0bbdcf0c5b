// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/convergence.hpp"

namespace semblance::pairs {

/// In the order of the values.
double inner_product(std::span<const double> a, std::span<const double> b);

/// A system A x = b with a symmetric positive definite A.
struct LinearSystem {
  /// y = A x.
  std::function<void(std::span<const double> x, std::span<double> y)> multiply;
  std::span<const double> right;
  std::vector<double> start = {};  ///< a guess of x; empty: 0
  double tolerance = 1e-9;         ///< for |b - A x| / |b|
  std::size_t most_iterations = 1000;
};

struct LinearSolution {
  std::vector<double> x;
  double residual = 0;  ///< |b - A x| / |b|, computed from x; 0 if b is 0
  std::size_t iterations = 0;
  bool converged = false;
  bool stopped = false;                    ///< a stop was requested
  bool indefinite = false;                 ///< a direction p with p A p <= 0 was met
  numerics::Convergence convergence = {};  ///< the residual, by the recursion until the last
};

/// Conjugate gradients. The residual that the recursion claims is replaced by the true
/// one before it ends, and it goes on from there while that helps.
LinearSolution conjugate_gradients(const LinearSystem& system, Context& context);

}  // namespace semblance::pairs
