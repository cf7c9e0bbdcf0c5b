// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

namespace semblance::pairs {

/// First and second derivative of a convex function on a line.
struct Slopes {
  double first = 0;
  double second = 0;
};

/// The minimum of a convex, piecewise quadratic function, from `start` on: Newton's method within
/// the bracket given by the slopes. Ends at the exact minimum once it reaches its piece.
template <class Function>
double line_minimum(double start, const Function& slopes) {
  constexpr int most_steps = 50;
  double t = start, low = -std::numeric_limits<double>::infinity(), high = -low;
  for (int step = 0; step < most_steps; ++step) {
    const Slopes s = slopes(t);
    if (s.first == 0 || s.second <= 0) return t;
    (s.first > 0 ? high : low) = t;
    double next = t - s.first / s.second;
    if (next <= low || next >= high) next = (low + high) / 2;
    if (std::abs(next - t) <= 1e-9 * std::abs(next) || !std::isfinite(next)) return t;
    t = next;
  }
  return t;
}

}  // namespace semblance::pairs
