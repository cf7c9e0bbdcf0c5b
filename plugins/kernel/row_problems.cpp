// SPDX-License-Identifier: MIT
#include "row_problems.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "kernel_caches.hpp"
#include "semblance/checkpoint.hpp"
#include "serialization.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

using Solutions = std::vector<numerics::DualSolution>;

/// Saves the solutions so far, and the state of the problem after them.
void save_progress(const Solutions& solved, const numerics::DualSolver& solver, Context& context) {
  const numerics::DualState current = solver.state();
  context.checkpoint().keep([&](StateWriter& state) {
    Packer packed;
    packed.put(solved.size());
    for (const numerics::DualSolution& s : solved) packed.put(s);
    packed.put(current);
    state.integers("problems", packed.words());
  });
}

/// Adds the solutions that an interrupted run saved; returns the state of the problem after them.
std::optional<numerics::DualState> load_progress(const std::vector<RowProblem>& problems,
                                                 Solutions& solved, Context& context) {
  const StateReader* saved = context.checkpoint().kept();
  if (!saved) return {};
  try {
    const std::vector<std::int64_t> words = saved->integers("problems");
    Unpacker packed(std::as_bytes(std::span(words)));
    const auto count = packed.take<std::size_t>();
    if (count >= problems.size()) return {};
    Solutions done;
    for (std::size_t p = 0; p < count; ++p)
      done.push_back(packed.take_solution(problems[p].dual.size()));
    numerics::DualState state = packed.take_state();
    solved = std::move(done);
    return state;
  } catch (const Error&) {
    return {};  // start from the beginning
  }
}

}  // namespace

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
  Solutions solved;
  std::optional<numerics::DualState> resumed;
  if (known.empty()) resumed = load_progress(problems, solved, context);
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
    if (resumed) solver.resume(*resumed);
    resumed.reset();
    const auto pauses = [&] { return known.empty() && context.checkpoint().due(); };
    while (!solver.advance(pauses)) save_progress(solved, solver, context);
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
