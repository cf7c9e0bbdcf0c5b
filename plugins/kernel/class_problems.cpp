// SPDX-License-Identifier: MIT
#include "class_problems.hpp"

#include <algorithm>
#include <string>

#include "kernel_caches.hpp"
#include "problem_scheduler.hpp"
#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

std::size_t problem_count(std::size_t classes, bool one_versus_one) {
  return one_versus_one || classes == 2 ? classes * (classes - 1) / 2 : classes;
}

/// The bytes of each problem's solution.
std::size_t solution_bytes(const std::vector<std::size_t>& starts, bool one_versus_one) {
  const std::size_t classes = starts.size() - 1, count = problem_count(classes, one_versus_one);
  const std::size_t coefficients = (one_versus_one ? classes - 1 : count) * starts.back();
  return count * (sizeof(numerics::DualSolution) + sizeof(Opponents)) +
         coefficients * sizeof(double);
}

}  // namespace

std::size_t comfortable_bytes(const std::vector<std::size_t>& starts, bool one_versus_one,
                              bool shrinking) {
  const std::size_t variables = largest_problem(starts, one_versus_one);
  const std::size_t set = working_set_for(variables, starts.size() == 3);
  return solution_bytes(starts, one_versus_one) +
         2 * (numerics::solve_bytes(variables, set, shrinking) + set * variables * sizeof(float));
}

std::size_t row_of(const ClassProblems& p, const Opponents& pair, std::size_t variable) {
  if (!p.one_versus_one || p.classes() == 2) return variable;
  const numerics::Range positive = p.rows(static_cast<std::size_t>(pair.positive));
  if (variable < positive.count) return positive.first + variable;
  return p.rows(static_cast<std::size_t>(pair.negative)).first + (variable - positive.count);
}

std::vector<numerics::DualSolution> solve_all(const ClassProblems& problems,
                                              numerics::DualOptions options, std::size_t bytes,
                                              Context& context, InitialStates states,
                                              std::vector<numerics::DualSolution> known) {
  // Decisions about fetching and about insufficient memory must be the same on all ranks.
  bytes = std::ranges::min(context.collectives().gather(std::vector<std::size_t>{bytes}));
  const std::size_t classes = problems.classes();
  const std::size_t count = problem_count(classes, problems.one_versus_one);
  const std::size_t stored = solution_bytes(problems.starts, problems.one_versus_one);
  constexpr std::size_t many = 1000;
  if (stored > bytes && count > many)
    throw MemoryError(std::to_string(classes) + " classes give " + std::to_string(count) +
                      " problems, whose solutions take " + std::to_string((stored >> 20) + 1) +
                      " MiB; " + std::to_string(bytes >> 20) +
                      " MiB are left. Raise --memory, or " +
                      (problems.one_versus_one ? "set multiclass: one_versus_rest"
                                               : "use fewer classes or rows"));
  bytes -= std::min(stored, bytes);
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  const LocalColumns columns(problems, context.collectives().rank());
  const ProblemSize size = problem_size(problems, columns);
  options.working_set = working_set_for(size.variables, classes == 2);
  // The sets that solve a large one take up to twice as many pair steps, each much shorter.
  constexpr std::size_t steps_in_small_sets = 4;
  if (options.working_set == largest_working_set)
    options.most_steps =
        std::min(options.most_steps, SIZE_MAX / steps_in_small_sets) * steps_in_small_sets;
  const MemoryPlan memory = plan_memory(
      size, options, bytes, problems.source.collective() ? 1 : context.threads(), pairs.size());
  options.held_rows = memory.held_rows;
  options.fetched_rows = memory.fetched_rows;
  options.history = pairs.size() <= most_histories;
  ProblemScheduler scheduler(problems, columns, pairs, memory, options, context);
  if (!known.empty()) scheduler.resume(std::move(states), std::move(known));
  return scheduler.run();
}

}  // namespace semblance::kernel
