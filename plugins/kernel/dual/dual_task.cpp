// SPDX-License-Identifier: MIT
#include "dual/dual_task.hpp"

#include <algorithm>

namespace semblance::kernel {

std::size_t DualTask::variables(std::size_t problem) const {
  const auto [first, second] = parts(problem);
  return first.count + second.count;
}

std::size_t DualTask::place(std::size_t problem, std::size_t i) const {
  const auto [first, second] = parts(problem);
  return i < first.count ? first.first + i : second.first + (i - first.count);
}

bool DualTask::mirrored(std::size_t problem) const {
  const auto [first, second] = parts(problem);
  return first.first == second.first && first.count == second.count;
}

numerics::DualProblem DualTask::outline(std::size_t problem) const {
  numerics::DualProblem made;
  bool hinge = true;  // whose linear terms are the labels
  for (const numerics::Range& part : parts(problem))
    if (part.count > 0) made.parts.push_back(part);
  const std::size_t count = variables(problem);
  made.labels.reserve(count);
  made.costs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Variable variable = this->variable(problem, i);
    made.labels.push_back(static_cast<signed char>(variable.label));
    made.costs.push_back(variable.cost);
    hinge = hinge && variable.linear == variable.label;
  }
  for (std::size_t i = 0; i < count && !hinge; ++i)
    made.linear.push_back(variable(problem, i).linear);
  made.start = start(problem);
  made.mirrored = mirrored(problem);
  return made;
}

std::vector<Term> DualTask::terms(std::size_t problem,
                                  const numerics::DualSolution& solution) const {
  std::vector<Term> found;
  const std::vector<double>& b = solution.coefficients;
  const std::size_t half = mirrored(problem) ? b.size() / 2 : b.size();
  for (std::size_t i = 0; i < half; ++i) {
    const double sum = half < b.size() ? b[i] + b[half + i] : b[i];
    if (sum != 0) found.push_back({place(problem, i), sum});
  }
  return found;
}

std::vector<std::vector<double>> DualTask::coefficients(
    std::size_t first, std::span<const numerics::DualSolution> solutions,
    std::size_t places) const {
  std::vector<std::vector<double>> all(solutions.size(), std::vector<double>(places));
  for (std::size_t q = 0; q < solutions.size(); ++q)
    for (const Term& term : terms(first + q, solutions[q])) all[q][term.vector] = term.coefficient;
  return all;
}

Solutions solve(const DualSetting& setting, const DualTask& task, const InitialStates& states,
                Solutions known) {
  Solutions solutions = solve_as_float32(setting, task, states, std::move(known));
  refine(setting, task, solutions);
  return solutions;
}

}  // namespace semblance::kernel
