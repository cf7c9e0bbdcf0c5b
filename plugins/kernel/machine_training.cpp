// SPDX-License-Identifier: MIT
#include "machine_training.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "class_check.hpp"
#include "class_problems.hpp"
#include "linear_functions.hpp"
#include "linear_refinement.hpp"
#include "machine_vectors.hpp"
#include "semblance/collectives.hpp"
#include "semblance/kept_bases.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

/// Whether ranks solve different problems, which needs all samples on each rank. They do if these
/// fit and there are several problems.
bool fits_everywhere(const MachineTask& task, const SortedSamples& rows, Context& context) {
  if (rows.starts.size() == 3) return false;
  const std::size_t bytes =
      rows.bytes_with_bases() +
      comfortable_bytes(rows.starts, task.one_versus_one, task.options.shrinking);
  return context.collectives().all(bytes <= context.memory_budget());
}

std::vector<numerics::DualSolution> solve_problems(const MachineTask& task,
                                                   const TrainingSet& training,
                                                   const SortedSamples& rows,
                                                   const ClassProblems& problems, std::size_t bytes,
                                                   Context& context) {
  auto solutions = solve_all(problems, task.options, bytes, context);
  if (task.linear && context.stop_requested() == StopReason::none) {
    try {
      refine_linear(training, rows, problems, task.options, bytes, solutions, context);
    } catch (const Cancelled&) {
      for (numerics::DualSolution& s : solutions)
        s.certificate = std::max(s.certificate, stop_certificate(context));
    }
  }
  return solutions;
}

Terms terms_of(const ClassProblems& problems, const std::vector<Opponents>& pairs,
               const std::vector<numerics::DualSolution>& solutions) {
  Terms terms(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t i = 0; i < solutions[p].coefficients.size(); ++i)
      if (const double b = solutions[p].coefficients[i]; b != 0)
        terms[p].push_back({row_of(problems, pairs[p], i), b});
  return terms;
}

/// Builds the machine from the solutions and checks it.
KernelMachine build_machine(const MachineTask& task, const ClassProblems& problems,
                            const std::vector<numerics::DualSolution>& solutions,
                            const SortedSamples& rows, const RepairRecord& repair, Report& report,
                            Context& context) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  Terms terms = terms_of(problems, pairs, solutions);
  const MachineVectors vectors = choose_vectors(task, rows, repair, terms, context);
  MachineCheck check;
  try {
    if (std::ranges::none_of(solutions, was_stopped))
      check = check_machine({{task.kernel, vectors.places, !repair.spectrum, !task.semidefinite},
                             problems,
                             solutions,
                             terms},
                            rows, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  std::vector<double> biases;
  biases.reserve(solutions.size());
  for (const numerics::DualSolution& s : solutions) biases.push_back(s.bias);
  KernelMachine machine(problems.classes(), problems.one_versus_one, std::move(biases), terms,
                        vectors.starts);
  if (!rows.centre.empty())
    machine.move_centre(dynamic_cast<const KeptBases&>(task.kernel), rows.centre);
  if (check.error) report.number("check_error", *check.error);
  if (check.violation) report.number("check_violation", *check.violation);
  report_vectors(vectors.support_vectors, rows, report);
  machine.set_vector_rows(vectors.rows);
  return machine;
}

std::string problem_name(const Opponents& pair, std::span<const std::string> classes) {
  const auto name = [&](std::int32_t c) { return classes[static_cast<std::size_t>(c)]; };
  return name(pair.positive) + (pair.negative == Opponents::rest
                                    ? " against the rest"
                                    : " against " + name(pair.negative));
}

}  // namespace

KernelMachine train_machine(const MachineTask& task, const TrainingSet& training, Report& report,
                            Context& context) {
  SortedSamples spread(training, context);
  if (task.linear) spread.centre = far_centre(training, context);
  std::optional<MatrixRows> all;
  if (spread.spread && fits_everywhere(task, spread, context))
    all.emplace(gather_all(training.rows, training.layout, spread.sizes, context));
  const SortedSamples& rows = all ? spread.of(*all) : spread;
  KernelMatrix matrix = kernel_matrix(task, rows, context);
  std::vector<double> costs;
  costs.reserve(rows.order.size());
  for (const std::uint32_t row : rows.order) costs.push_back(task.costs[row]);
  const ClassProblems problems{*matrix.source, rows.starts, std::move(costs), task.one_versus_one,
                               std::move(matrix.owners)};
  const std::size_t budget = context.memory_budget();
  const std::size_t left = budget > matrix.bytes ? budget - matrix.bytes : 0;
  const auto solutions = solve_problems(task, training, rows, problems, left, context);
  report_doubt(solutions, task.options.tolerance, report);
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  report_solutions(
      solutions, [&](std::size_t p) { return problem_name(pairs[p], training.classes); }, report);
  report_repair(matrix.repair, task.semidefinite, report);
  return build_machine(task, problems, solutions, rows, matrix.repair, report, context);
}

}  // namespace semblance::kernel
