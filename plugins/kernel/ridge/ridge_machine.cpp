// SPDX-License-Identifier: MIT
#include "ridge/ridge_machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "dual/learning.hpp"
#include "expansion/linear_functions.hpp"
#include "numbers/target_unit.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

/// For a linear kernel: sums of kernel values by the functions' weights, in double.
KernelRidgeProblem::Product linear_product(const SortedSamples& samples, Context& context) {
  return [&samples, &context](const Vectors<double>& coefficients) {
    const std::size_t m = coefficients.count(), n = coefficients.cols();
    Vectors<double> found(m, n);
    const std::size_t at_once = functions_at_once(samples);
    for (std::size_t first = 0; first < m; first += at_once) {
      std::vector<std::vector<double>> some;
      for (std::size_t k = first; k < std::min(m, first + at_once); ++k)
        some.emplace_back(coefficients.row(k), coefficients.row(k) + n);
      const auto values = linear_values(samples, some, {}, context);
      for (std::size_t k = 0; k < values.size(); ++k)
        std::ranges::copy(values[k], found.row(first + k));
    }
    return found;
  };
}

bool is_optimal(const KernelRidgeFit& fit) { return fit.gradient_norm <= ridge_tolerance; }

/// `complete`: no stop request ended the training before.
void report_fit(const KernelRidgeFit& fit, bool complete, Report& report, const Context& context) {
  const Certificate reached =
      is_optimal(fit) ? Certificate::converged : Certificate::iteration_limit;
  report.text("certificate", name(complete ? reached : stop_certificate(context)));
  if (complete && !is_optimal(fit))
    report.text("remedy", "rounding leaves a gradient above 1e-9; raise the penalty");
  report.number("objective", fit.objective);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("squared_norm", fit.squared_norm);
}

common::LeftOutFigure likelihood() {
  return {"negative log likelihood", "negative_log_likelihood",
          [](const auto&, auto, auto) { return 0.0; }, true, true};
}

}  // namespace

void RidgeMachine::check_memory(const SortedSamples& samples, const Additions& additions,
                                const Context& context) const {
  const std::size_t n = samples.order.size();
  const std::size_t wanted =
      samples.bytes_with_bases() + n * n * (sizeof(float) + sizeof(double)) + additions.bytes;
  if (wanted <= context.memory_budget()) return;
  const auto mebibytes = [](std::size_t size) {
    return std::to_string((size + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
  };
  throw MemoryError("for n = " + std::to_string(n) +
                    " training rows the kernel's matrix takes 4 n^2 bytes and its factor 8 n^2, "
                    "with the samples " +
                    additions.text + mebibytes(wanted) + ", but " +
                    mebibytes(context.memory_budget()) +
                    " are allowed; train on fewer rows, raise --memory, or " + additions.remedy);
}

RidgeMachine::Trained RidgeMachine::learn(const TrainingSet& training, const Additions& additions,
                                          Report& report, Context& context) {
  common::check_targets(training);
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  std::vector<std::uint32_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  SortedSamples samples(training, std::move(all));
  check_memory(samples, additions, context);
  if (is_linear() && intercept_) samples.centre = far_centre(training, context);
  KernelMatrix matrix = kernel_matrix(kernel_task(), samples, context);
  if (matrix.values.rows == 0)
    matrix.values = whole_matrix(*matrix.source, samples.order.size(), context);
  context.check_stop();
  const MatrixView kernel = std::as_const(matrix.values).view();
  const KernelRidgeProblem problem(
      kernel, training.targets, training.target_names.size(), training.weights, intercept_,
      is_linear() ? linear_product(samples, context) : KernelRidgeProblem::Product(), context);
  const common::LeftOutSamples used{problem.used(), training.weights, training.target_names};
  common::PenaltyChoice<KernelRidgeFit> choice(
      used, additions.by_likelihood ? likelihood() : common::relative_error(used, training.targets),
      problem.constant_fit(candidates().front()));
  Trained made;
  try {
    choice.choose(candidates(), context, [&](double penalty) {
      KernelRidgeFit fit = problem.fit(penalty, context);
      if (additions.by_likelihood) fit.figure = fit.surprise;
      return fit;
    });
    if (additions.functions)
      made.added = additions.functions(choice.best(), {kernel, used.rows, training, intercept_});
    made.complete = true;
  } catch (const Cancelled&) {  // a stop still requires a model
    if (additions.functions) choice.best() = problem.constant_fit(candidates().front());
  }
  report_fit(choice.best(), made.complete, report, context);
  choice.report(report, context);
  made.fit = std::move(choice.best());
  made.used = used.rows;
  report_repair(matrix.repair, knows_spectrum(), report);
  take_fit(made, samples, matrix.repair, training, report, context);
  return made;
}

/// Makes the functions of a fit, and those added to it, the machine's.
void RidgeMachine::take_fit(Trained& made, const SortedSamples& samples, const RepairRecord& repair,
                            const TrainingSet& training, Report& report, Context& context) {
  const KernelRidgeFit& fit = made.fit;
  const std::size_t n = samples.order.size();
  LearnedFunctions learned{fit.intercepts, Terms(fit.coefficients.count()), {}, samples.centre};
  for (std::size_t k = 0; k < learned.terms.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      if (const double a = fit.coefficients.row(k)[i]; a != 0) learned.terms[k].push_back({i, a});
  const std::vector<char> support_vectors = samples_used(learned.terms, n);
  std::ranges::move(made.added.terms, std::back_inserter(learned.terms));
  std::ranges::copy(made.added.biases, std::back_inserter(learned.biases));
  learned.vectors = choose_vectors(kernel_task(), samples, repair, learned.terms, context);
  MachineCheck checked;
  try {
    checked = check_fit(fit, samples, repair, learned, training, made.complete && is_optimal(fit),
                        context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report_machine(checked, support_vectors, samples, report);
  set_sums(sums());
  take_functions({std::move(learned)});
}

/// Compares the kernel's values, and the fit of a few samples, with their definition.
MachineCheck RidgeMachine::check_fit(const KernelRidgeFit& fit, const SortedSamples& samples,
                                     const RepairRecord& repair, const LearnedFunctions& learned,
                                     const TrainingSet& training, bool converged,
                                     Context& context) const {
  const std::size_t n = samples.order.size(), m = training.target_names.size();
  const std::vector<double> weights =
      training.weights.empty() ? std::vector<double>(n, 1)
                               : std::vector(training.weights.begin(), training.weights.end());
  std::vector<double> deviations;
  for (std::size_t k = 0; k < m; ++k) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < n; ++i) numbers.push_back(training.targets[i * m + k]);
    const TargetUnit unit = target_unit(numbers, weights);
    const double deviation = unit.spread * unit.unit;
    deviations.push_back(intercept_ ? deviation : std::max(deviation, std::abs(unit.centre)));
  }
  const auto judge = [&](std::size_t place, const KernelValues& values) {
    RowViolation worst;
    for (std::size_t k = 0; k < m && weights[place] > 0; ++k) {
      const double left = training.targets[place * m + k] - learned.biases[k] -
                          fit.penalty * fit.coefficients.row(k)[place] / weights[place] -
                          values.sum(learned.terms[k], deviations[k], worst);
      worst.add(std::abs(left) / deviations[k], 0, converged);
    }
    return worst;
  };
  return check_rows({*kernel_, learned.vectors.places, !repair.spectrum}, samples, judge, context);
}

}  // namespace semblance::kernel
