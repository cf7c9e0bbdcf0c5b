// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::sources {

/// A smooth curve over time in [0, 1]: a sum of bumps.
class BumpCurve {
 public:
  BumpCurve(std::size_t bumps, Random& random);
  double operator()(double time) const noexcept;

 private:
  struct Bump {
    double middle, width, height;
  };
  std::vector<Bump> bumps_;
};

/// A random increasing map of [0, 1] onto itself, linear between equidistant knots, with scaled
/// slopes exp(strength x normal).
class TimeWarp {
 public:
  TimeWarp(double strength, Random& random);
  double operator()(double time) const noexcept;

 private:
  std::vector<double> knots_;  ///< from 0 to 1
};

/// Fills a series of curves.size() channels: each is the curve at a warped time, plus noise.
void draw_warped(std::span<const BumpCurve> curves, double strength, double noise, Random& random,
                 std::span<float> out);

}  // namespace semblance::sources
