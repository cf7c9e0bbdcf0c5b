// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "problem/sweep.hpp"

namespace semblance::linear {

/// scale times the lower triangle of a matrix, with shifts added to its diagonal.
struct ShiftedMatrix {
  const Vectors<double>& triangle;
  double scale = 1;
  std::span<const double> shifts;
};

/// Its Cholesky factor. If rounding makes it indefinite, as with equal columns of a large scale,
/// the diagonal is raised a little: a Newton step is then inexact but still a descent step. False
/// if a stop was requested; throws Error if raising does not help.
bool raised_factor(const ShiftedMatrix& matrix, Vectors<double>& factor, Context& context);

}  // namespace semblance::linear
