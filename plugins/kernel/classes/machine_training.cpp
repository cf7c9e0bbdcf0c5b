// SPDX-License-Identifier: MIT
#include "classes/machine_training.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "classes/cost_path.hpp"
#include "classes/machine_cost_choice.hpp"
#include "dual/learning.hpp"
#include "dual/solution_report.hpp"
#include "expansion/linear_functions.hpp"
#include "matrix/shared_kernel.hpp"
#include "semblance/parameters.hpp"
#include "tuning/cost_choice.hpp"

namespace semblance::kernel {
namespace {

/// What the vectors are to the problems.
std::vector<VectorRole> roles_of(const ClassProblems& problems, const Solutions& solutions,
                                 const MachineVectors& vectors) {
  std::vector<VectorRole> of_places(problems.costs.size(), VectorRole::none), roles;
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    const std::vector<double>& coefficients = solutions[p].coefficients;
    const double rounding = numerics::rounding_at_bounds(coefficients);
    for (const auto& [place, b] : problems.terms(p, solutions[p]))
      if (std::abs(b) < problems.costs[place] - rounding)
        of_places[place] = VectorRole::margin;
      else if (of_places[place] == VectorRole::none)
        of_places[place] = VectorRole::bound;
  }
  for (const std::size_t place : vectors.places) roles.push_back(of_places[place]);
  return roles;
}

/// Reports a choice of C, and makes it that of the task.
void take_choice(const std::function<common::CostChoice()>& choose, MachineTask& task,
                 Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  const common::CostChoice choice = choose();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  common::report_choice(choice, report, context);
  report.number("choice_seconds", seconds.count());
  task.costs = {choice.costs[choice.best]};
  task.options.gradients = false;
}

std::string problem_name(const Opposed& pair, std::span<const std::string> classes) {
  const auto name = [&](std::int32_t c) { return classes[static_cast<std::size_t>(c)]; };
  return name(pair.first) +
         (pair.second == Opposed::rest ? " against the rest" : " against " + name(pair.second));
}

/// A table with one row for each cost.
Table path_table(const std::vector<double>& costs, const std::vector<Solved>& all,
                 std::size_t samples) {
  Table table{"path",
              "C",
              "",
              {},
              {"objective", "relative gap", "violation", "support vectors", "iterations",
               "problems not converged"},
              {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [task, solutions] = all[k];
    Terms terms;
    for (std::size_t p = 0; p < solutions.size(); ++p) terms.push_back(task.terms(p, solutions[p]));
    const numerics::DualSolution sum = sum_of(solutions);
    const auto open = std::ranges::count_if(solutions, [](const numerics::DualSolution& s) {
      return s.certificate != Certificate::converged;
    });
    table.rows.push_back(to_text(Value(costs[k])));
    for (const double value :
         {sum.dual, numerics::relative_gap(sum), sum.violation,
          static_cast<double>(std::ranges::count(samples_used(terms, samples), 1)),
          static_cast<double>(sum.steps), static_cast<double>(open)})
      table.values.push_back(value);
  }
  return table;
}

}  // namespace

std::vector<LearnedFunctions> train_machines(MachineTask task, const TrainingSet& training,
                                             Report& report, Context& context) {
  SortedSamples rows(training);
  if (task.linear) rows.centre = far_centre(training, context);
  const bool choosing = !task.fold_of.empty() || task.leave_one_out;
  if (choosing && task.costs.empty()) task.costs = automatic_costs(task, rows, context);
  task.options.gradients = task.costs.size() > 1;
  if (choosing && task.kernel_learns)
    take_choice([&] { return choose_cost_learning(task, rows, context); }, task, report, context);
  KernelMatrix matrix = kernel_matrix(task, rows, context);
  std::size_t left = matrix.bytes_left(context);
  std::optional<RetainingSource> shared;
  const bool scores_left_out = task.left_out.rows > 0;
  if ((task.costs.size() > 1 || scores_left_out) && !task.shared) {
    shared.emplace(*matrix.source, rows.order.size(), left);
    left = shared->bytes_left();
  }
  const numerics::KernelSource& source = shared ? shared->source() : *matrix.source;
  if (choosing && !task.kernel_learns)
    take_choice([&] { return choose_cost(task, rows, source, left, context); }, task, report,
                context);
  task.options.gradients = task.options.gradients || scores_left_out;
  const PathSetting path{task, task.weights, {task, rows, source, task.options, left, context}};
  std::deque<ClassProblems> problems;
  std::vector<Solved> solved;
  ClassProblems at(rows.starts, {}, task.one_versus_one);
  solve_path(path, at, [&](std::size_t cost, const Solutions& solutions) {
    if (scores_left_out && cost + 1 == task.costs.size())
      score_left_out(path, task.costs[cost], at, solutions, task.left_out, report);
    solved.push_back({problems.emplace_back(at), solutions});
    for (numerics::DualSolution& s : solved.back().solutions) s.gradients = {};
  });
  const auto name = [&](std::size_t p) { return problem_name(at.pairs()[p], training.classes); };
  std::vector<Learned> learned = learn(path.dual, solved, matrix.repair, name, report);
  report_doubt(solved.back().solutions, task.options, report);
  if (solved.size() > 1) report.table(path_table(task.costs, solved, rows.order.size()));
  std::vector<LearnedFunctions> machines;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    machines.push_back(std::move(learned[k].functions));
    machines[k].roles = roles_of(problems[k], solved[k].solutions, machines[k].vectors);
  }
  return machines;
}

}  // namespace semblance::kernel
