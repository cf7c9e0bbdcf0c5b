// SPDX-License-Identifier: MIT
#include "semblance_numerics/solution.hpp"

#include <algorithm>

namespace semblance::numerics {

double Solution::objective() const noexcept {
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += outcome.primal;
  return sum;
}

double Solution::largest_gap() const noexcept {
  double largest = 0;
  for (const Outcome& outcome : outcomes)
    if (outcome.primal > 0)
      largest = std::max(largest, (outcome.primal - outcome.dual) / outcome.primal);
  return largest;
}

void Solution::record(double tolerance, const std::string& step, std::size_t open, Context& context,
                      const std::string& more) {
  const double gap = largest_gap(), worst = std::max(tolerance, gap);
  objectives.push_back(objective());
  convergence.record(iterations, gap);
  context.progress(std::log(worst), std::log(tolerance));
  context.log(LogLevel::debug, step + ' ' + std::to_string(iterations) + ": objective " +
                                   std::to_string(objectives.back()) + ", largest relative gap " +
                                   std::to_string(worst) + ", problems open " +
                                   std::to_string(open) + more);
}

}  // namespace semblance::numerics
