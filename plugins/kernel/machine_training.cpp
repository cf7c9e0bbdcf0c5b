// SPDX-License-Identifier: MIT
#include "machine_training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "class_check.hpp"
#include "class_problems.hpp"
#include "cost_choice.hpp"
#include "linear_functions.hpp"
#include "machine_cost_choice.hpp"
#include "machine_vectors.hpp"
#include "path_solutions.hpp"
#include "retained_rows.hpp"
#include "semblance/plain_check.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

Terms terms_of(const ClassProblems& problems, const std::vector<Opponents>& pairs,
               const std::vector<numerics::DualSolution>& solutions) {
  Terms terms(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t i = 0; i < solutions[p].coefficients.size(); ++i)
      if (const double b = solutions[p].coefficients[i]; b != 0)
        terms[p].push_back({row_of(problems, pairs[p], i), b});
  return terms;
}

/// Whether each sample has a coefficient.
std::vector<char> support_vectors_of(const Terms& terms, std::size_t rows) {
  std::vector<char> used(rows);
  for (const auto& problem : terms)
    for (const Term& term : problem) used[term.vector] = 1;
  return used;
}

/// What the sample at each place is.
std::vector<VectorRole> roles_of(const ClassProblems& problems, const Solutions& solutions) {
  std::vector<VectorRole> roles(problems.starts.back(), VectorRole::none);
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::vector<double>& coefficients = solutions[p].coefficients;
    const double rounding = numerics::rounding_at_bounds(coefficients);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      if (coefficients[i] == 0) continue;
      const std::size_t place = row_of(problems, pairs[p], i);
      if (std::abs(coefficients[i]) < problems.costs[place] - rounding)
        roles[place] = VectorRole::margin;
      else if (roles[place] == VectorRole::none)
        roles[place] = VectorRole::bound;
    }
  }
  return roles;
}

std::vector<VectorRole> roles_of(const MachineVectors& vectors,
                                 const std::vector<VectorRole>& of_places) {
  std::vector<VectorRole> roles;
  for (const std::size_t place : vectors.places) roles.push_back(of_places[place]);
  return roles;
}

/// The checked machine of one cost, of terms of the vectors; `report` may be null.
KernelMachine build_machine(const MachineTask& task, const ClassProblems& problems,
                            Solutions& solutions, const Terms& terms, const MachineVectors& vectors,
                            const SortedSamples& rows, const RepairRecord& repair, Report* report,
                            Context& context) {
  MachineCheck check;
  try {
    if (std::ranges::none_of(solutions, was_stopped))
      check = check_machine(
          {{task.kernel, vectors.places, !repair.spectrum}, problems, solutions, terms}, rows,
          context);
    for (numerics::DualSolution& s : solutions) allow_error(check.apart, task.options, s);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  std::vector<double> biases;
  biases.reserve(solutions.size());
  for (const numerics::DualSolution& s : solutions) biases.push_back(s.bias);
  KernelMachine machine(problems.classes(), problems.one_versus_one, std::move(biases), terms,
                        vectors.starts);
  if (!rows.centre.empty()) machine.move_centre(task.kernel, rows.centre);
  if (report) report_check(check.error, *report);
  if (report && check.violation) report->number("check_violation", *check.violation);
  machine.set_origins({vectors.rows, roles_of(vectors, roles_of(problems, solutions))});
  return machine;
}

/// A table of all costs.
Table path_table(const PathSetting& path, const std::vector<Solutions>& all,
                 const std::vector<std::vector<char>>& support_vectors) {
  std::vector<PathEntry> entries;
  for (std::size_t k = 0; k < all.size(); ++k)
    entries.push_back({path.task.costs[k], &all[k],
                       static_cast<std::size_t>(std::ranges::count(support_vectors[k], 1))});
  return path_table(entries);
}

/// Builds the machines of all costs, on the vectors of all.
std::vector<KernelMachine> build_machines(const PathSetting& path, ClassProblems& problems,
                                          std::vector<Solutions>& all, const RepairRecord& repair,
                                          Report& report) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  Terms terms;
  std::vector<std::vector<char>> support_vectors;
  for (const Solutions& solutions : all) {
    Terms own = terms_of(problems, pairs, solutions);
    support_vectors.push_back(support_vectors_of(own, path.rows.order.size()));
    std::ranges::move(own, std::back_inserter(terms));
  }
  const MachineVectors vectors = choose_vectors(path.task, path.rows, repair, terms, path.context);
  std::vector<KernelMachine> machines;
  for (std::size_t k = 0; k < all.size(); ++k) {
    problems.costs = path.costs(path.task.costs[k]);
    const auto first = terms.begin() + static_cast<std::ptrdiff_t>(k * pairs.size());
    machines.push_back(
        build_machine(path.task, problems, all[k],
                      Terms(first, first + static_cast<std::ptrdiff_t>(pairs.size())), vectors,
                      path.rows, repair, k + 1 < all.size() ? nullptr : &report, path.context));
  }
  report_vectors(support_vectors.back(), path.rows, report);
  if (all.size() > 1) report.table(path_table(path, all, support_vectors));
  return machines;
}

/// The solutions for each cost, without gradients.
std::vector<Solutions> solve_path(const PathSetting& path, ClassProblems& problems) {
  std::vector<Solutions> all;
  solve_path(path, problems, [&](std::size_t, const Solutions& solutions) {
    all.push_back(solutions);
    for (numerics::DualSolution& s : all.back()) s.gradients = {};
  });
  return all;
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
}

std::string problem_name(const Opponents& pair, std::span<const std::string> classes) {
  const auto name = [&](std::int32_t c) { return classes[static_cast<std::size_t>(c)]; };
  return name(pair.positive) + (pair.negative == Opponents::rest
                                    ? " against the rest"
                                    : " against " + name(pair.negative));
}

}  // namespace

std::vector<KernelMachine> train_machines(const MachineTask& given, const TrainingSet& training,
                                          Report& report, Context& context) {
  SortedSamples rows(training);
  if (given.linear) rows.centre = far_centre(training, context);
  const bool choosing = !given.fold_of.empty() || given.leave_one_out;
  MachineTask task = given;
  if (choosing && task.costs.empty()) task.costs = automatic_costs(task, rows, context);
  if (choosing && task.kernel_learns)
    take_choice([&] { return choose_cost_learning(task, training, rows, context); }, task, report,
                context);
  KernelMatrix matrix = kernel_matrix(task, rows, context);
  const std::size_t budget = context.memory_budget();
  std::size_t left = budget > matrix.bytes ? budget - matrix.bytes : 0;
  std::optional<SharedSource> shared;
  if (task.costs.size() > 1 && !task.shared) {
    shared.emplace(*matrix.source, rows.order.size(), left);
    left = shared->bytes_left();
  }
  const numerics::KernelSource& source = shared ? shared->source() : *matrix.source;
  if (choosing && !task.kernel_learns)
    take_choice([&] { return choose_cost(task, training, rows, source, left, context); }, task,
                report, context);
  ClassProblems problems{source, rows.starts, {}, task.one_versus_one};
  const PathSetting path{task, training, rows, task.weights, left, context, true};
  std::vector<Solutions> solutions = solve_path(path, problems);
  std::vector<KernelMachine> machines =
      build_machines(path, problems, solutions, matrix.repair, report);
  report_doubt(solutions.back(), task.options, report);
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  report_solutions(
      solutions.back(), task.options.tolerance,
      [&](std::size_t p) { return problem_name(pairs[p], training.classes); }, report);
  report_repair(matrix.repair, task.semidefinite, report);
  return machines;
}

}  // namespace semblance::kernel
