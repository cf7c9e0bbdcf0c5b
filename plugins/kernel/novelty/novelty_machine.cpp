// SPDX-License-Identifier: MIT
#include "novelty/novelty_machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "dual/solution_report.hpp"
#include "expansion/linear_functions.hpp"
#include "named_class.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::kernel {
namespace {

/// A machine whose objective may be wrong by more is not called converged, whatever the tolerance.
constexpr double largest_gap = 0.01;

}  // namespace

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

void NoveltyMachine::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::uint32_t> chosen = common::rows_of_class(training, normal_, "normal");
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  numerics::DualOptions options;
  options.tolerance = tolerance_;
  options.gap = std::min(tolerance_, largest_gap);
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  options.gradients = true;
  const KernelTask task = kernel_task();
  std::vector<double> weights = sample_weights(training, chosen);
  const bool sphere = shape_ == NoveltyShape::sphere;
  if (sphere) check_compares_with_itself(task.kernel);
  SortedSamples rows(training, std::move(chosen));
  // A sphere does not depend on where 0 is, and centred rows lose no digits.
  if (sphere && task.linear) rows.centre = far_centre(training, context, rows.order);
  const KernelMatrix matrix = kernel_matrix(task, rows, context);
  const NoveltyProblem problem(shape_, nu_, std::move(weights), task.kernel, rows, *matrix.source,
                               context);
  const DualSetting setting{task,   rows, *matrix.source, options, matrix.bytes_left(context),
                            context};
  std::vector<Solved> solved{{problem, solve(setting, problem)}};
  const numerics::DualSolution solution = solved.front().solutions.front();
  const auto name = [](std::size_t) { return std::string("usual"); };
  Learned learned = std::move(learn(setting, solved, matrix.repair, name, report).front());
  report_doubt(problem, solved.front().solutions.front(), options, report);
  // |x - c|^2 is |x|^2 - 2 <c, x> + |c|^2; moving the centre of the function does the rest.
  for (const float c : rows.centre) learned.functions.biases[0] -= double{c} * double{c};
  take_functions({std::move(learned.functions)});
  // A repaired matrix has other values than the kernel, and linear functions cost little to
  // evaluate: their scores count as unknown. Of others a sample was checked: some may be worse.
  constexpr double sampled = 4;
  const double factor = problem.units(0).function, unit = problem.unit(0);
  TrainedScores trained{rows.order, problem.weights(), {}, tolerance_ * unit * factor, HUGE_VAL};
  for (const double gradient : solution.gradients)
    trained.values.push_back((gradient + solution.bias) * factor);
  if (!matrix.repair.spectrum && !task.linear)
    trained.error = (sampled * learned.check.apart * unit + solution.rounding) * factor;
  try {
    place_threshold(trained, training, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report.number("threshold", -functions().biases().front());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

/// Reports why the solution is not called converged. If no plane separates the rows from 0, the
/// objective is 0, and nothing is proved about it.
void NoveltyMachine::report_doubt(const NoveltyProblem& problem, const numerics::DualSolution& s,
                                  const numerics::DualOptions& options, Report& report) const {
  constexpr double nothing_proved = 0.5;
  const double tolerance = options.tolerance, gap = numerics::relative_gap(s);
  const bool open_gap = s.certificate == Certificate::iteration_limit && s.violation < tolerance &&
                        s.rounding < tolerance && gap > options.gap;
  if (!open_gap) return kernel::report_doubt({s}, options, report);
  // Rows whose similarities are never negative are on one side of 0.
  if (shape_ == NoveltyShape::plane && problem.opposed() && gap > nothing_proved)
    return report.text(
        "remedy",
        "the rows surround 0 in the space of the kernel, so that no plane separates them from it; "
        "use solver/svdd, a kernel whose values are above 0, such as similarity/rbf, or a larger "
        "nu");
  report.text("remedy", "the duality gap is " + to_text(Value(gap)) +
                            " of the objective, more than " + to_text(Value(options.gap)) +
                            "; raise max_iterations, and if that does not help, raise nu or use a "
                            "wider kernel: rounding hides the rest");
}

std::span<const double> NoveltyMachine::sum_biases() const {
  if (shape_ == NoveltyShape::sphere)
    throw Error(
        "its score is a distance from a centre, which holds the sample's similarity to itself "
        "beside the sum over examples");
  return functions().biases();
}

Formula::Value NoveltyMachine::write(Formula& formula, Formula::Value in) const {
  if (shape_ == NoveltyShape::plane) return KernelMachine::write(formula, in);
  const SupportVectorMachine kernel = described_kernel();
  const Formula::Value x = formula.widen(in);
  Formula::Value own = formula.sum(formula.multiply(x, x));  // <x, x>, then k(x, x)
  if (kernel.kernel == SupportVectorMachine::Kernel::rbf) own = formula.number(1, x);
  if (kernel.kernel == SupportVectorMachine::Kernel::polynomial)
    own = formula.power(formula.add(formula.multiply(own, formula.number(kernel.gamma, x)),
                                    formula.number(kernel.coef0, x)),
                        static_cast<std::size_t>(kernel.degree));
  return formula.narrow(formula.subtract(write_functions(formula, in), own));
}

SupportVectorMachine NoveltyMachine::support_vectors() const {
  SupportVectorMachine machine = KernelMachine::support_vectors();
  machine.one_class = true;
  if (shape_ == NoveltyShape::plane) return machine;
  if (machine.kernel != SupportVectorMachine::Kernel::rbf)
    throw Error(
        "its score has the sample's similarity to itself, for which LIBSVM's files have no place; "
        "use a Gaussian kernel (similarity/rbf), or solver/one_class_svm");
  machine.rho[0] += 1;  // which is 1
  return machine;
}

void NoveltyMachine::for_scores(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, double score, double own)>& take) const {
  std::vector<double> own(shape_ == NoveltyShape::sphere ? in.rows : 0);
  if (!own.empty()) compare_with_itself(*kernel_, in, own.data());
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    const double subtracted = own.empty() ? 0 : own[i];
    take(i, values[0] - subtracted, subtracted);
  });
}

/// Moves the threshold so that training rows within the tolerance are usual and at most nu are
/// novel, by the scores that apply() gives them: of those near the threshold, or, where more
/// than nu are below the tolerance, of all below.
void NoveltyMachine::place_threshold(const TrainedScores& trained, const TrainingSet& training,
                                     Context& context) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  std::vector<double> scores = trained.values;
  double largest = std::abs(functions().biases()[0]);
  const double error = trained.error + 64 * epsilon * largest;
  const double tolerance = trained.tolerance + (std::isfinite(error) ? error : 0);
  double below = trained.tolerance + error, shift = 0;
  for (double from = error;; from = -below, below = HUGE_VAL) {
    std::vector<std::size_t> near;
    for (std::size_t k = 0; k < scores.size(); ++k)
      if (trained.values[k] <= from && trained.values[k] >= -below) near.push_back(k);
    for (std::size_t first = 0; first < near.size(); first += block_rows) {
      const auto some = std::span(near).subspan(first, std::min(block_rows, near.size() - first));
      std::vector<std::uint32_t> rows;
      for (const std::size_t k : some) rows.push_back(trained.rows[k]);
      const FloatMatrix samples = gather(training.rows, training.layout, rows);
      for_scores(samples.view(), context, [&](std::size_t i, double score, double own) {
        scores[some[i]] = score;
        largest = std::max(largest, std::abs(score) + std::abs(own));
      });
    }
    shift = threshold_shift(scores, trained.weights, tolerance, nu_);
    if (shift <= below) break;
  }
  if (shift > 0) raise_function(shift + 8 * epsilon * largest);
}

void NoveltyMachine::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  for_scores(in, context, [&](std::size_t i, double score, double) {
    // A negative score must stay below 0 as float32.
    const auto rounded = static_cast<float>(score);
    out.row(i)[0] =
        score < 0 ? std::min(rounded, -std::numeric_limits<float>::denorm_min()) : rounded;
  });
}

}  // namespace semblance::kernel
