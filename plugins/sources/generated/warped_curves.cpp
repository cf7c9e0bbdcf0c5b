// SPDX-License-Identifier: MIT
#include "generated/warped_curves.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::sources {

BumpCurve::BumpCurve(std::size_t bumps, Random& random) {
  for (std::size_t k = 0; k < bumps; ++k) {
    // One in each part of the time: curves differ in heights, which a warp blurs step by step.
    const double middle = (double(k) + random.uniform(0.25, 0.75)) / double(bumps);
    bumps_.push_back({middle, random.uniform(0.15, 0.3) / double(bumps), random.uniform(0.2, 1.8)});
  }
}

double BumpCurve::operator()(double time) const noexcept {
  double sum = 0;
  for (const Bump& bump : bumps_) {
    const double distance = (time - bump.middle) / bump.width;
    sum += bump.height * std::exp(-0.5 * distance * distance);
  }
  return sum;
}

TimeWarp::TimeWarp(double strength, Random& random) {
  constexpr std::size_t pieces = 6;
  knots_.push_back(0);
  for (std::size_t k = 0; k < pieces; ++k)
    knots_.push_back(knots_.back() + std::exp(strength * random.normal()));
  const double end = knots_.back();
  for (double& knot : knots_) knot /= end;
}

double TimeWarp::operator()(double time) const noexcept {
  const double place = time * double(knots_.size() - 1);
  const std::size_t left = std::min(static_cast<std::size_t>(place), knots_.size() - 2);
  return knots_[left] + (knots_[left + 1] - knots_[left]) * (place - double(left));
}

void draw_warped(std::span<const BumpCurve> curves, double strength, double noise, Random& random,
                 std::span<float> out) {
  const TimeWarp warp(strength, random);
  const std::size_t steps = out.size() / curves.size();
  for (std::size_t t = 0; t < steps; ++t) {
    const double time = warp(steps > 1 ? double(t) / double(steps - 1) : 0.5);
    for (std::size_t c = 0; c < curves.size(); ++c)
      out[t * curves.size() + c] = static_cast<float>(curves[c](time) + noise * random.normal());
  }
}

}  // namespace semblance::sources
