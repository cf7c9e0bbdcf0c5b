// SPDX-License-Identifier: MIT
#include "newton/conjugate_gradients.hpp"

#include <cmath>

namespace semblance::pairs {
namespace {

void subtract_from(std::span<const double> right, std::span<double> product) {
  for (std::size_t i = 0; i < right.size(); ++i) product[i] = right[i] - product[i];
}

}  // namespace

double inner_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

LinearSolution conjugate_gradients(const LinearSystem& system, Context& context) {
  const std::size_t n = system.right.size();
  LinearSolution found{std::vector<double>(n, 0.0)};
  const double size = std::sqrt(inner_product(system.right, system.right));
  if (size == 0) {
    found.converged = true;
    return found;
  }
  std::vector<double> residual(system.right.begin(), system.right.end()), product(n);
  if (!system.start.empty()) {
    found.x = system.start;
    system.multiply(found.x, residual);
    subtract_from(system.right, residual);
  }
  double last_true = std::sqrt(inner_product(residual, residual)) / size;
  found.convergence.record(0, last_true);
  while (true) {  // starts anew from the true residual
    std::vector<double> direction = residual;
    double squared = inner_product(residual, residual);
    while (std::sqrt(squared) > system.tolerance * size &&
           found.iterations < system.most_iterations && !found.indefinite) {
      if (context.stop_requested() != StopReason::none) {
        found.stopped = true;
        break;
      }
      system.multiply(direction, product);
      const double curvature = inner_product(direction, product);
      if (!(curvature > 0)) {
        found.indefinite = true;
        break;
      }
      const double step = squared / curvature;
      for (std::size_t i = 0; i < n; ++i) {
        found.x[i] += step * direction[i];
        residual[i] -= step * product[i];
      }
      const double next = inner_product(residual, residual), ratio = next / squared;
      for (std::size_t i = 0; i < n; ++i) direction[i] = residual[i] + ratio * direction[i];
      squared = next;
      ++found.iterations;
      found.convergence.record(found.iterations, std::sqrt(squared) / size);
    }
    system.multiply(found.x, residual);
    subtract_from(system.right, residual);
    found.residual = std::sqrt(inner_product(residual, residual)) / size;
    found.convergence.record_last(found.iterations, found.residual);
    found.converged = found.residual <= system.tolerance;
    const bool helps = found.residual < 0.5 * last_true;
    last_true = found.residual;
    if (found.converged || found.stopped || found.indefinite || !helps ||
        found.iterations >= system.most_iterations)
      return found;
  }
}

}  // namespace semblance::pairs
