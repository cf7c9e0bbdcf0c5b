// SPDX-License-Identifier: MIT
#include "novelty_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "exact_refinement.hpp"
#include "linear_functions.hpp"
#include "row_problems.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"
#include "semblance/plain_check.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

using Shape = NoveltyTask::Shape;

bool compares_with_itself(const Similarity& kernel) {
  return kernel.abilities().compares_with_itself || kernel.abilities().compares_plainly;
}

[[noreturn]] void refuse_kernel() {
  throw Error(
      "its kernel does not compare a sample with itself, which the distance from a centre needs; "
      "use solver/one_class_svm, the same machine where all samples are equally similar to "
      "themselves");
}

/// k(x, x), for a linear kernel about the centre.
void compare_with_itself(const NoveltyTask& task, std::span<const float> centre, MatrixView samples,
                         double* values) {
  if (centre.empty()) return kernel::compare_with_itself(task.kernel, samples, values);
  for (std::size_t i = 0; i < samples.rows; ++i) {
    values[i] = 0;
    for (std::size_t k = 0; k < centre.size(); ++k)
      values[i] +=
          (double{samples.row(i)[k]} - centre[k]) * (double{samples.row(i)[k]} - centre[k]);
  }
}

/// k(x, x) of the samples at all places.
std::vector<double> diagonal(const NoveltyTask& task, const SortedSamples& rows, Context& context) {
  const std::size_t n = rows.order.size();
  std::vector<double> values(n);
  context.parallel_for(block_count(n), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, n - first);
    const FloatMatrix samples =
        gather(rows.rows, rows.layout, std::span(rows.order).subspan(first, count));
    compare_with_itself(task, rows.centre, samples.view(), values.data() + first);
  });
  return values;
}

/// The means of k(x, x) and of k(x, z) over some samples that have a weight, and the least of all.
struct Means {
  double diagonal = 0;
  double pairs = 0;
  double least = 0;
};

Means mean_values(const numerics::KernelSource& source, std::span<const double> weights) {
  constexpr std::size_t most_rows = 256;
  std::vector<std::uint32_t> weighted, drawn;
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) weighted.push_back(i);
  for (const std::size_t at : drawn_sample(weighted.size(), most_rows))
    drawn.push_back(weighted[at]);
  FloatMatrix row(1, weights.size());
  Means sums;
  double total = 0;
  for (const std::uint32_t i : drawn) {
    source.compute({&i, 1}, 0, row.view());
    total += weights[i];
    sums.diagonal += weights[i] * double{row.values[i]};
    for (const std::uint32_t j : drawn) {
      sums.pairs += weights[i] * weights[j] * double{row.values[j]};
      sums.least = std::min(sums.least, double{row.values[j]});
    }
  }
  return {sums.diagonal / total, sums.pairs / (total * total), sums.least};
}

/// The size of the gradients' differences: k(x, x), or, as a sphere does not depend on where 0 is,
/// the samples' mean squared distance from their centre, if they differ.
double scale_of(Shape shape, const Means& means) {
  const double spread = means.diagonal - means.pairs;
  if (shape == Shape::sphere && spread > 0) return spread;
  return means.diagonal > 0 ? means.diagonal : 1;
}

/// What the machine minimizes, apart from the kernel rows.
struct Novelty {
  std::vector<double> weights;   // of the rows
  std::vector<double> diagonal;  // k(x, x), for a sphere
  double sum = 0;                // of all coefficients
  double scale = 1;              // of the gradients
  bool opposed = false;          // some k(x, z) are below 0
};

Novelty novelty_of(const NoveltyTask& task, std::vector<double> weights, const SortedSamples& rows,
                   const KernelMatrix& matrix, Context& context) {
  Novelty made;
  made.weights = std::move(weights);
  made.sum = task.nu * std::accumulate(made.weights.begin(), made.weights.end(), 0.0);
  try {
    const Means means = mean_values(*matrix.source, made.weights);
    made.scale = scale_of(task.shape, means) * std::min(1.0, made.sum);
    made.opposed = means.least < 0;
    if (task.shape == Shape::sphere) made.diagonal = diagonal(task, rows, context);
  } catch (const Cancelled&) {  // the solver notices the stop request before it reads any value
    made.diagonal.assign(made.weights.size(), 0);
  }
  return made;
}

/// 0 <= b_i <= w_i with sum b = nu sum w. It starts as LIBSVM does, at the bounds of the first
/// rows.
RowProblem problem_of(const NoveltyTask& task, const Novelty& novelty) {
  const std::size_t n = novelty.weights.size();
  RowProblem problem{{}, task.options.tolerance * novelty.scale};
  numerics::DualProblem& dual = problem.dual;
  dual.labels.assign(n, 1);
  dual.costs = novelty.weights;
  dual.linear.assign(n, 0);
  double left = novelty.sum;
  for (std::size_t i = 0; i < n; ++i) {
    if (task.shape == Shape::sphere) dual.linear[i] = novelty.sum * novelty.diagonal[i] / 2;
    dual.start.push_back(std::min(left, novelty.weights[i]));
    left -= dual.start.back();
  }
  return problem;
}

numerics::DualSolution solve(const NoveltyTask& task, const TrainingSet& training,
                             const SortedSamples& rows, const RowProblem& problem,
                             const KernelMatrix& matrix, Context& context) {
  const std::size_t bytes = bytes_beside(matrix, context);
  const auto further = [&](const InitialStates& states, std::vector<numerics::DualSolution> known) {
    return solve_each(*matrix.source, rows.order.size(), {problem}, task.options, bytes, context,
                      states, std::move(known));
  };
  std::vector<numerics::DualSolution> solutions = further({}, {});
  if (context.stop_requested() != StopReason::none) return solutions.front();
  const RefinedDuals duals{1, [&](std::size_t) { return problem.dual; },
                           [](std::size_t, std::size_t variable) { return variable; },
                           [&](std::size_t) { return problem.tolerance; }, further};
  try {
    refine(task, true, training, rows, duals, task.options, solutions, context);
  } catch (const Cancelled&) {
    solutions.front().certificate =
        std::max(solutions.front().certificate, stop_certificate(context));
  }
  return solutions.front();
}

/// The function of a solution: f of the plane is the solution's; that of the sphere is
/// (2 f + 2 bias) / sum b, as the squared distance from the centre sum_i a_i phi(x_i), with
/// a = b / sum b, is k(x, x) - 2 sum_i a_i k(x_i, x) + a'Ka.
double factor_of(const NoveltyTask& task, const Novelty& novelty) {
  return task.shape == Shape::sphere ? 2 / novelty.sum : 1;
}

LearnedFunctions function_of(const numerics::DualSolution& solution, double factor) {
  LearnedFunctions learned;
  learned.biases = {solution.bias * factor};
  std::vector<Term>& terms = learned.terms.emplace_back();
  for (std::size_t i = 0; i < solution.coefficients.size(); ++i)
    if (const double b = solution.coefficients[i]; b != 0) terms.push_back({i, b * factor});
  return learned;
}

MachineCheck check_usual(const NoveltyTask& task, const SortedSamples& rows, const Novelty& novelty,
                         const numerics::DualSolution& solution, const RepairRecord& repair,
                         const LearnedFunctions& learned, Context& context) {
  const double unit = novelty.scale * factor_of(task, novelty);
  const auto judge = [&](std::size_t place, MatrixView sample, const KernelValues& values) {
    RowViolation violation;
    double value = learned.biases[0] + values.sum(learned.terms[0], unit, violation);
    if (task.shape == Shape::sphere) {
      double own = 0;
      compare_with_itself(task, rows.centre, sample, &own);
      value -= own;
    }
    violation.add(numerics::optimality_violation(solution.coefficients[place],
                                                 novelty.weights[place], 1 + value / unit),
                  solution.violation, solution.certificate == Certificate::converged);
    return violation;
  };
  return check_rows({task.kernel, learned.vectors.places, !repair.spectrum}, rows, judge, context);
}

/// The solution with its figures in the units of the report.
numerics::DualSolution in_report_units(const NoveltyTask& task, const Novelty& novelty,
                                       numerics::DualSolution s) {
  s.violation /= novelty.scale;
  for (numerics::ConvergencePoint& point : s.history) point.value /= novelty.scale;
  s.rounding /= novelty.scale;
  s.sensitivity *= novelty.scale;
  const double factor = factor_of(task, novelty);
  s.bias *= factor;
  if (task.shape == Shape::plane) return s;
  s.dual *= factor / novelty.sum;
  s.primal *= factor / novelty.sum;
  s.squared_norm /= novelty.sum * novelty.sum;
  s.sensitivity *= factor / novelty.sum;
  return s;
}

/// Reports why the solution is not called converged. If no plane separates the rows from 0, the
/// objective is 0, and nothing is proved about it.
void report_unsolved(const NoveltyTask& task, const Novelty& novelty,
                     const numerics::DualSolution& s, Report& report) {
  constexpr double nothing_proved = 0.5;
  const double tolerance = task.options.tolerance, gap = numerics::relative_gap(s);
  const bool open_gap = s.certificate == Certificate::iteration_limit && s.violation < tolerance &&
                        s.rounding < tolerance && gap > task.options.gap;
  if (!open_gap) return report_doubt({s}, task.options, report);
  // Rows whose similarities are never negative are on one side of 0.
  if (task.shape == Shape::plane && novelty.opposed && gap > nothing_proved)
    return report.text(
        "remedy",
        "the rows surround 0 in the space of the kernel, so that no plane separates them from it; "
        "use solver/svdd, a kernel whose values are above 0, such as similarity/rbf, or a larger "
        "nu");
  report.text("remedy", "the duality gap is " + to_text(Value(gap)) +
                            " of the objective, more than " + to_text(Value(task.options.gap)) +
                            "; raise max_iterations, and if that does not help, raise nu or use a "
                            "wider kernel: rounding hides the rest");
}

/// The scores of the samples at all places, as the solver knows them.
void set_scores(const NoveltyTask& task, const Novelty& novelty,
                const numerics::DualSolution& solution, const MachineCheck& checked,
                const RepairRecord& repair, UsualFunction& usual) {
  const double factor = factor_of(task, novelty);
  for (const double gradient : solution.gradients)
    usual.scores.push_back((gradient + solution.bias) * factor);
  usual.tolerance = task.options.tolerance * novelty.scale * factor;
  // A repaired matrix has other values than the kernel, and linear functions cost little to
  // evaluate: their scores count as unknown. Of others a sample was checked: some may be worse.
  constexpr double sampled = 4;
  const bool unknown = repair.spectrum || task.linear;
  usual.error =
      unknown ? HUGE_VAL : (sampled * checked.apart * novelty.scale + solution.rounding) * factor;
}

}  // namespace

void compare_with_itself(const Similarity& kernel, MatrixView rows, double* values) {
  const bool plainly = kernel.abilities().compares_plainly;
  // Linear functions are computed in double.
  if (kernel.abilities().compares_with_itself && !(plainly && kernel.inner_product())) {
    std::vector<float> found(rows.rows);
    kernel.compare_with_itself(rows, found.data());
    std::ranges::copy(found, values);
    return;
  }
  if (!plainly) refuse_kernel();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const MatrixView row = rows.rows_range(i, 1);
    kernel.compare_plainly(row, row, values + i);
  }
}

double threshold_shift(std::span<const double> scores, std::span<const double> weights,
                       double tolerance, double nu) {
  constexpr double rounding = 1e-9;  // of nu times a sum
  double lowest = 0, total = 0, novel = 0;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    total += weights[i];
    if (scores[i] >= -tolerance) lowest = std::min(lowest, scores[i]);
    if (scores[i] < 0) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return scores[i]; });
  for (const std::size_t i : order) {
    novel += weights[i];
    if (novel > nu * total * (1 + rounding)) return -std::min(lowest, scores[i]);
  }
  return -lowest;
}

UsualFunction learn_usual(const NoveltyTask& task, const TrainingSet& training,
                          std::vector<std::uint32_t> chosen, Report& report, Context& context) {
  UsualFunction usual;
  usual.rows = chosen;
  std::vector<double> weights = weights_of(training, chosen);
  if (task.shape == Shape::sphere && !compares_with_itself(task.kernel)) refuse_kernel();
  // A sphere does not depend on where 0 is, and centred rows lose no digits.
  std::vector<float> centre;
  if (task.shape == Shape::sphere && task.linear) centre = far_centre(training, context, chosen);
  SortedSamples rows(training, std::move(chosen));
  rows.centre = std::move(centre);
  const KernelMatrix matrix = kernel_matrix(task, rows, context);
  const Novelty novelty = novelty_of(task, std::move(weights), rows, matrix, context);
  const numerics::DualSolution solution =
      solve(task, training, rows, problem_of(task, novelty), matrix, context);
  numerics::check_objective(solution, HUGE_VAL);
  std::vector<numerics::DualSolution> reported = {in_report_units(task, novelty, solution)};
  report_repair(matrix.repair, task.semidefinite, report);
  LearnedFunctions learned = function_of(solution, factor_of(task, novelty));
  learned.vectors = choose_vectors(task, rows, matrix.repair, learned.terms, context);
  MachineCheck checked;
  try {
    if (!was_stopped(solution))
      checked = check_usual(task, rows, novelty, reported[0], matrix.repair, learned, context);
    for (numerics::DualSolution& s : reported) allow_error(checked.apart, task.options, s);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report_unsolved(task, novelty, reported[0], report);
  report_solutions(
      reported, task.options.tolerance, [](std::size_t) { return std::string("usual"); }, report);
  report_machine(checked, learned.vectors, rows, report);
  // |x - c|^2 is |x|^2 - 2 <c, x> + |c|^2; moving the centre of the function does the rest.
  for (const float c : rows.centre) learned.biases[0] -= double{c} * double{c};
  learned.centre = std::move(rows.centre);
  set_scores(task, novelty, solution, checked, matrix.repair, usual);
  usual.weights = novelty.weights;
  usual.functions = std::move(learned);
  return usual;
}

}  // namespace semblance::kernel
