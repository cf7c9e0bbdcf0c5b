// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance {

/// A rule that integrates over [0, 1]: the sum of weights times values at the nodes.
struct QuadratureRule {
  std::vector<double> nodes, weights;
};

/// The Gauss-Legendre rule with n nodes, at least 1: exact for polynomials of degree 2n - 1.
QuadratureRule gauss_legendre(std::size_t n);

}  // namespace semblance
