// SPDX-License-Identifier: MIT
#include "dual_variables.hpp"

#include <cmath>
#include <limits>

namespace semblance::numerics {

DualPoint::DualPoint(const DualProblem& p)
    : problem(p), values(p.start.empty() ? std::vector<double>(p.size()) : p.start) {
  gradients.reserve(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) gradients.push_back(first_gradient(i));
}

void DualPoint::mirror_gradients() {
  const std::size_t rows = problem.parts[0].count;
  for (std::size_t i = 0; i < rows; ++i)
    gradients[rows + i] = gradients[i] + (first_gradient(rows + i) - first_gradient(i));
}

double DualPoint::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * (gradients[i] - linear_term(problem, i));
  return sum / 2;
}

double DualPoint::rounding(double largest_value) const {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value;
}

}  // namespace semblance::numerics
