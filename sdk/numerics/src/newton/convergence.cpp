// SPDX-License-Identifier: MIT
#include "semblance_numerics/convergence.hpp"

namespace semblance::numerics {

void Convergence::record(std::size_t step, double value) {
  if (!points_.empty() && step == points_.back().step) return;
  if (points_.size() > 1 && step - points_.back().step < points_[1].step - points_[0].step) return;
  points_.push_back({step, value, seconds()});
  if (points_.size() < most_points) return;
  for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
  points_.resize((points_.size() + 1) / 2);
}

void Convergence::record_last(std::size_t step, double value) {
  const ConvergencePoint last{step, value, seconds()};
  if (points_.empty() || points_.back().step != step)
    points_.push_back(last);
  else if (points_.back() != last)
    points_.back() = last;
}

}  // namespace semblance::numerics
