// SPDX-License-Identifier: MIT
#include "dual_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::numerics {

DualPoint::DualPoint(const DualProblem& p, const OwnVariables& own_variables)
    : problem(p), own(own_variables), values(p.size()) {
  gradients.reserve(own.count());
  for (const std::uint32_t i : own.list()) gradients.push_back(first_gradient(i));
}

double DualPoint::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * (gradients[i] - problem.labels[i]);
  return sum / 2;
}

double DualPoint::rounding(double largest_value) const {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value;
}

double DualPoint::bias(std::span<const double> of_all) const {
  double sum = 0, above = std::numeric_limits<double>::infinity(), below = -above;
  std::size_t free = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool grows = may_grow(i), shrinks = may_shrink(i);
    if (grows && shrinks) {
      sum += of_all[i];
      ++free;
    } else if (grows) {
      above = std::min(above, of_all[i]);
    } else if (shrinks) {  // neither can a variable whose C is 0
      below = std::max(below, of_all[i]);
    }
  }
  return free > 0 ? -sum / static_cast<double>(free) : -(above + below) / 2;
}

}  // namespace semblance::numerics
