// SPDX-License-Identifier: MIT
#include "larger_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace semblance::kernel {
namespace {

/// b times the factor at which 1/2 b'Kb - y'b is smallest. A variable at its bound reaches the new
/// bound exactly where the factor is the costs' own, however it rounds.
void scale(const ClassProblems& problems, const Opponents& pair, double growth,
           numerics::DualSolution& solution, std::vector<double>& sums) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double gain = 0, curvature = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    gain += std::abs(solution.coefficients[i]);
    curvature += solution.coefficients[i] * sums[i];
  }
  const double factor = curvature > 0 ? std::min(growth, gain / curvature) : growth;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double& b = solution.coefficients[i];
    const double cost = problems.costs[row_of(problems, pair, i)];
    const double grown = std::abs(b) * factor;
    b = std::copysign(grown < cost * (1 - 4 * epsilon) ? grown : cost, b);
    sums[i] *= factor;
  }
}

}  // namespace

InitialStates states_for_larger_costs(const ClassProblems& problems,
                                      const std::vector<numerics::DualSolution>& solutions,
                                      double growth) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  InitialStates states;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    numerics::DualSolution start = solutions[p];
    if (start.coefficients.empty() || start.gradients.empty()) return {};
    const auto positive = problems.rows(static_cast<std::size_t>(pairs[p].positive));
    const auto label = [&](std::size_t i) {
      return row_of(problems, pairs[p], i) - positive.first < positive.count ? 1 : -1;
    };
    std::vector<double> gradients = std::move(start.gradients);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] += label(i);  // now K b
    scale(problems, pairs[p], growth, start, gradients);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] -= label(i);
    const double largest_value = start.largest_value;
    states[p] = numerics::warm_start(start, std::move(gradients));
    states[p].largest_value = largest_value;
  }
  return states;
}

}  // namespace semblance::kernel
