// SPDX-License-Identifier: MIT
#include "row_problems.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kernel_caches.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
std::vector<numerics::DualSolution> solve_each(const numerics::KernelSource& source,
                                               std::size_t rows, std::vector<RowProblem> problems,
                                               numerics::DualOptions options, std::size_t bytes,
                                               Context& context, const InitialStates& states,
                                               std::vector<numerics::DualSolution> known) {
  const numerics::Range all{0, rows};
  const std::size_t variables = problems.front().dual.size();
  options.working_set = working_set_for(variables);
  const MemoryPlan memory = plan_memory({rows, variables, rows, false}, options, bytes, 1, 1);
  options.held_rows = memory.held_rows;
  options.fetched_rows = memory.fetched_rows;
  options.history = problems.size() <= most_histories;
  numerics::RowCache cache(source, all, all, memory.shared_bytes);
  std::vector<numerics::DualSolution> solved;
  while (solved.size() < problems.size()) {
    const std::size_t next = solved.size();
    if (!known.empty() && !states.contains(next)) {
      solved.push_back(std::move(known[next]));
      continue;
    }
    RowProblem& problem = problems[next];
    problem.dual.parts.assign(problem.dual.mirrored ? 2 : 1, all);
    for (auto& row : problem.dual.rows) std::ranges::fill(row, &cache);
    options.tolerance = problem.tolerance;
    numerics::DualSolver solver(problem.dual, options, context);
    if (!known.empty()) solver.resume(states.at(next));
    solver.advance();
    solved.push_back(solver.take());
    context.progress(static_cast<double>(solved.size()), static_cast<double>(problems.size()));
  }
  return solved;
}

std::size_t bytes_beside(const KernelMatrix& matrix, const Context& context) {
  const std::size_t budget = context.memory_budget();
  return budget > matrix.bytes ? budget - matrix.bytes : 0;
}

std::vector<double> weights_of(const TrainingSet& training, std::span<const std::uint32_t> chosen) {
  std::vector<double> weights(chosen.size(), 1);
  if (training.weights.empty()) return weights;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    weights[i] = training.weights[chosen[i]];
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw RowError(RowError::Of::training, chosen[i], "the weight of ",
                     " (counted from 0) is " + std::to_string(weights[i]) +
                         "; weights must be finite and not negative");
  }
  if (std::ranges::none_of(weights, [](double weight) { return weight > 0; }))
    throw Error("all training rows have the weight 0, so there is nothing to learn from");
  return weights;
}

}  // namespace semblance::kernel
