// SPDX-License-Identifier: MIT
#include "dual_point.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::numerics {

DualPoint::DualPoint(const DualProblem& p)
    : problem(p), values(p.size()), gradients(p.labels.begin(), p.labels.end()) {
  for (double& gradient : gradients) gradient = -gradient;
}

Violation DualPoint::violation(std::span<const std::uint32_t> variables,
                               double largest_value) const {
  Violation worst;
  for (const std::uint32_t i : variables) {
    // Comparisons with NaN are false, and nothing would seem to be violated.
    if (!std::isfinite(gradients[i]))
      throw Error("with C up to " + to_text(Value(problem.costs[i])) + " and kernel values up to " +
                  to_text(Value(largest_value)) +
                  " the gradients overflow; lower C, or scale the samples "
                  "(normalizer/unit_length, normalizer/zscore)");
    if (may_grow(i)) worst.least = std::min(worst.least, gradients[i]);
    if (may_shrink(i)) worst.most = std::max(worst.most, gradients[i]);
  }
  return worst;
}

double DualPoint::rounding(double largest_value) const {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value;
}

double DualPoint::bias() const {
  double sum = 0, above = std::numeric_limits<double>::infinity(), below = -above;
  std::size_t free = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool grows = may_grow(i), shrinks = may_shrink(i);
    if (grows && shrinks) {
      sum += gradients[i];
      ++free;
    } else if (grows) {
      above = std::min(above, gradients[i]);
    } else {
      below = std::max(below, gradients[i]);
    }
  }
  return free > 0 ? -sum / static_cast<double>(free) : -(above + below) / 2;
}

}  // namespace semblance::numerics
