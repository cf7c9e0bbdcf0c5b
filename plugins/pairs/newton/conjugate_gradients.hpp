// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "newton/products.hpp"

namespace semblance::pairs {

/// What conjugate gradients do with vectors of numbers; see conjugate_gradients().
struct PlainVectors {
  using Vector = std::vector<double>;

  double dot(const Vector& a, const Vector& b) const {
    return pairs::dot(a.data(), b.data(), a.size());
  }
  double norm(const Vector& v) const { return std::sqrt(dot(v, v)); }
  void add(double factor, const Vector& from, Vector& to) const {
    add_scaled(factor, from.data(), to.data(), to.size());
  }
  /// p = z + factor p
  void combine(const Vector& z, double factor, Vector& p) const {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + factor * p[i];
  }
};

enum class Ended { here, stopped, indefinite };

/// Solves A x = residual by preconditioned conjugate gradients: x, which begins at 0, until the
/// residual is `reduction` times as long. A system has the operations of PlainVectors and
///   bool multiply(p, out)            out = A p; false: a stop was requested
///   bool precondition(residual, z)   z = approximately A^-1 residual
/// In dot(a, b) the vector a came from precondition(). `indefinite`: a direction p had p A p <= 0.
template <class System>
Ended conjugate_gradients(System& system, typename System::Vector& residual,
                          typename System::Vector& x, double reduction, std::size_t most_products) {
  typename System::Vector z, image;
  if (!system.precondition(residual, z)) return Ended::stopped;
  const double goal = reduction * system.norm(residual);
  typename System::Vector p = z;
  double rho = system.dot(z, residual);
  for (std::size_t k = 0; k < most_products && system.norm(residual) > goal; ++k) {
    if (!system.multiply(p, image)) return Ended::stopped;
    const double curvature = system.dot(p, image);
    if (!(curvature > 0)) return Ended::indefinite;
    const double alpha = rho / curvature;
    system.add(alpha, p, x);
    system.add(-alpha, image, residual);
    if (!system.precondition(residual, z)) return Ended::stopped;
    const double before = rho;
    rho = system.dot(z, residual);
    if (!(rho > 0)) break;  // rounding has taken over
    system.combine(z, rho / before, p);
  }
  return Ended::here;
}

}  // namespace semblance::pairs
