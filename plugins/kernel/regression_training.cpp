// SPDX-License-Identifier: MIT
#include "regression_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "exact_refinement.hpp"
#include "linear_functions.hpp"
#include "row_problems.hpp"
#include "solution_report.hpp"
#include "target_unit.hpp"

namespace semblance::kernel {
namespace {

/// One target number, as the machine learns it.
struct Target {
  std::vector<double> numbers;  // as given
  TargetUnit unit;
  double epsilon = 0;         // in that unit
  double given_epsilon = 0;   // in the unit of the numbers
  std::vector<double> costs;  // C of each row, in that unit

  double learned(std::size_t i) const { return (numbers[i] - unit.centre) / unit.unit; }
};

Target target(const RegressionTask& task, const TrainingSet& training,
              const std::vector<double>& weights, std::size_t which) {
  constexpr double largest = 1e300;  // a bound that is never reached
  Target made;
  const std::size_t count = training.target_names.size();
  for (std::size_t i = 0; i < weights.size(); ++i)
    made.numbers.push_back(training.targets[i * count + which]);
  made.unit = target_unit(made.numbers, weights);
  // In the learned unit, C and epsilon become smaller by its size, unless they are in it already.
  const double multiple = task.relative ? made.unit.spread : 1 / made.unit.unit;
  made.given_epsilon = task.epsilon * multiple * made.unit.unit;
  double most = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    made.costs.push_back(std::min(task.cost * weights[i] * multiple, largest));
    if (weights[i] > 0) most = std::max(most, std::abs(made.learned(i)));
  }
  // Any larger epsilon makes the same machine, the middle of the numbers, but loses their digits.
  made.epsilon = std::min(task.epsilon * multiple, 2 * most);
  return made;
}

/// Two variables for each row: 0 <= b_i <= C, then -C <= b*_i <= 0.
RowProblem problem_of(const Target& target, double tolerance) {
  const std::size_t n = target.numbers.size();
  RowProblem problem{{}, tolerance * target.unit.spread};
  numerics::DualProblem& dual = problem.dual;
  dual.mirrored = true;
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < n; ++i) {
      dual.labels.push_back(static_cast<signed char>(sign));
      dual.costs.push_back(target.costs[i]);
      dual.linear.push_back(target.learned(i) - sign * target.epsilon);
    }
  return problem;
}

std::vector<numerics::DualSolution> solve_targets(
    const RegressionTask& task, const TrainingSet& training, const SortedSamples& rows,
    const KernelMatrix& matrix, const std::vector<RowProblem>& problems, Context& context) {
  const std::size_t bytes = bytes_beside(matrix, context);
  auto solutions =
      solve_each(*matrix.source, rows.order.size(), problems, task.options, bytes, context);
  if (context.stop_requested() != StopReason::none) return solutions;
  const std::size_t n = rows.order.size();
  const RefinedDuals duals{
      problems.size(), [&](std::size_t t) { return problems[t].dual; },
      [n](std::size_t, std::size_t variable) { return variable % n; },
      [&](std::size_t t) { return problems[t].tolerance; },
      [&](const InitialStates& states, std::vector<numerics::DualSolution> known) {
        return solve_each(*matrix.source, n, problems, task.options, bytes, context, states,
                          std::move(known));
      }};
  try {
    refine(task, true, training, rows, duals, task.options, solutions, context);
  } catch (const Cancelled&) {
    for (numerics::DualSolution& s : solutions)
      s.certificate = std::max(s.certificate, stop_certificate(context));
  }
  return solutions;
}

/// Throws Error if the objective is impossible: the function 0 has these losses.
void check_objective(const Target& target, const numerics::DualSolution& solution) {
  double losses = 0;
  for (std::size_t i = 0; i < target.numbers.size(); ++i)
    losses += target.costs[i] * std::max(0.0, std::abs(target.learned(i)) - target.epsilon);
  numerics::check_objective(solution, losses);
}

/// The solution in the unit of the numbers, with one coefficient for each row.
numerics::DualSolution in_given_unit(const Target& target, numerics::DualSolution s) {
  const std::size_t n = target.numbers.size();
  const double unit = target.unit.unit;
  std::vector<double> both(n);
  s.vectors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    both[i] = (s.coefficients[i] + s.coefficients[n + i]) * unit;
    s.vectors += both[i] != 0;
  }
  s.coefficients = std::move(both);
  s.bias = s.bias * unit + target.unit.centre;
  for (double* figure : {&s.dual, &s.primal, &s.squared_norm}) *figure *= unit * unit;
  s.sensitivity *= unit * unit * target.unit.spread;
  s.violation /= target.unit.spread;
  for (numerics::ConvergencePoint& point : s.history) point.value /= target.unit.spread;
  s.rounding /= target.unit.spread;
  return s;
}

/// The violation of a row's optimality conditions, as a share of the target's deviation, by the
/// function's value in the unit of the numbers.
double violation_of(const Target& target, std::size_t place, double coefficient, double value) {
  const double scale = target.unit.spread * target.unit.unit;
  const double above = value - target.numbers[place];
  const double cost = target.costs[place] * target.unit.unit;
  const double upper = numerics::optimality_violation(std::max(0.0, coefficient), cost,
                                                      1 + (above + target.given_epsilon) / scale);
  const double lower = numerics::optimality_violation(std::max(0.0, -coefficient), cost,
                                                      1 - (above - target.given_epsilon) / scale);
  return std::max(upper, lower);
}

MachineCheck check_estimates(const RegressionTask& task, const SortedSamples& rows,
                             const std::vector<Target>& targets,
                             const std::vector<numerics::DualSolution>& solutions,
                             const RepairRecord& repair, const LearnedFunctions& learned,
                             Context& context) {
  const auto judge = [&](std::size_t place, MatrixView, const KernelValues& values) {
    RowViolation worst;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const double value =
          learned.biases[t] +
          values.sum(learned.terms[t], targets[t].unit.spread * targets[t].unit.unit, worst);
      worst.add(violation_of(targets[t], place, solutions[t].coefficients[place], value),
                solutions[t].violation, solutions[t].certificate == Certificate::converged);
    }
    return worst;
  };
  return check_rows({task.kernel, learned.vectors.places, !repair.spectrum}, rows, judge, context);
}

}  // namespace

LearnedFunctions learn_numbers(const RegressionTask& task, const TrainingSet& training,
                               Report& report, Context& context) {
  std::vector<std::uint32_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<double> weights = weights_of(training, all);
  SortedSamples rows(training, std::move(all));
  if (task.linear) rows.centre = far_centre(training, context);
  std::vector<Target> targets;
  std::vector<RowProblem> problems;
  for (std::size_t t = 0; t < training.target_names.size(); ++t) {
    targets.push_back(target(task, training, weights, t));
    problems.push_back(problem_of(targets.back(), task.options.tolerance));
  }
  const KernelMatrix matrix = kernel_matrix(task, rows, context);
  auto solutions = solve_targets(task, training, rows, matrix, problems, context);
  LearnedFunctions learned;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    check_objective(targets[t], solutions[t]);
    solutions[t] = in_given_unit(targets[t], std::move(solutions[t]));
    learned.biases.push_back(solutions[t].bias);
    std::vector<Term>& terms = learned.terms.emplace_back();
    for (std::size_t i = 0; i < rows.order.size(); ++i)
      if (const double b = solutions[t].coefficients[i]; b != 0) terms.push_back({i, b});
  }
  report_repair(matrix.repair, task.semidefinite, report);
  learned.vectors = choose_vectors(task, rows, matrix.repair, learned.terms, context);
  MachineCheck checked;
  try {
    if (std::ranges::none_of(solutions, was_stopped))
      checked = check_estimates(task, rows, targets, solutions, matrix.repair, learned, context);
    for (numerics::DualSolution& s : solutions) allow_error(checked.apart, task.options, s);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report_doubt(solutions, task.options, report);
  report_solutions(
      solutions, task.options.tolerance, [&](std::size_t t) { return training.target_names[t]; },
      report);
  report_machine(checked, learned.vectors, rows, report);
  learned.centre = std::move(rows.centre);
  return learned;
}

}  // namespace semblance::kernel
