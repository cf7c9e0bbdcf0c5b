// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "dual/learning.hpp"
#include "expansion/linear_functions.hpp"
#include "machine/kernel_functions.hpp"
#include "numbers/target_unit.hpp"
#include "penalty_choice.hpp"
#include "ridge/ridge_problem.hpp"
#include "semblance/error.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"

namespace semblance::kernel {
namespace {

/// `solver/kernel_ridge`: least squares in the space of a kernel.
class KernelRidge final : public KernelMachine<Regressor>, public LeftOutScores {
 public:
  KernelRidge() : KernelMachine(Sums::zero) {}
  static Declaration<KernelRidge> declare();

  void check_parameters() const override;
  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }
  std::string left_out_problem() const override { return shared_matrix_problem(); }
  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override;
  void load(const StateReader& state, Context& context) override;

 private:
  Sums sums() const noexcept { return intercept_ ? Sums::zero : Sums::other; }
  using Choice = common::PenaltyChoice<KernelRidgeFit>;
  void check_memory(const SortedSamples& samples, const Context& context) const;
  Certificate choose(const KernelRidgeProblem& problem, Choice& choice, Context& context) const;
  MachineCheck check_fit(const KernelRidgeFit& fit, const SortedSamples& samples,
                         const RepairRecord& repair, const LearnedFunctions& learned,
                         const TrainingSet& training, bool converged, Context& context) const;

  double penalty_ = 1;
  std::vector<double> penalties_;
  bool intercept_ = true;
};

Declaration<KernelRidge> KernelRidge::declare() {
  Declaration<KernelRidge> declaration("solver/kernel_ridge",
                                       "Kernel ridge regression on any similarity, with exact "
                                       "leave-one-out errors");
  declaration
      .documentation(
          "Minimizes sum_i w_i (y_i - f(x_i) - b)^2 + penalty |f|^2 over the functions f of the "
          "kernel's space, for each target: f(x) = sum_i a_i k(x_i, x) with (K + penalty I) a + b "
          "= y and sum a = 0. The intercept b is not penalized, so that it makes no difference "
          "where the targets' zero is; `intercept: false` omits it, which is scikit-learn's "
          "KernelRidge with alpha = penalty. The mean of a Gaussian process with this kernel and "
          "the noise variance `penalty` is the same function. All targets share one factor.\n"
          "\n"
          "The error of each training sample under the fit to all other samples follows from its "
          "coefficient and the diagonal of the inverse: `leave_one_out_rmse` is exact, not an "
          "estimate from folds. With `penalties` the one with the smallest mean squared "
          "leave-one-out error is chosen; for several targets, with the smallest mean of these "
          "errors over the variances of the targets. Ties, also those but for rounding, go to the "
          "larger penalty. What the kernel learns from its bases (a width) and the repair of its "
          "matrix are those of all training samples. Each penalty takes a Cholesky factor: on all "
          "threads, up to about ten of them take less time than one eigendecomposition.\n"
          "\n"
          "The matrix of all training samples is computed in float32 and centred in double. If the "
          "kernel is not positive semi-definite by construction, it must be symmetric, and its "
          "spectrum is checked or repaired, as that of solver/kernel_svm: `repair` and "
          "`negative_weight` mean the same, and `krein` with negative_weight 1 is least squares in "
          "a Krein space. The solution is refined until its gradient no longer falls. Then the fit "
          "of a random sample of training samples is computed by the kernel's definition in "
          "double: `check_error` is the largest difference between kernel values, as a share of "
          "the largest; `check_violation` that between y - f - b and penalty a / w, as a share of "
          "the target's mean absolute deviation from its median. More than 0.001 and 0.1 are "
          "errors: a penalty far below the rounding of similarities asks for more digits than "
          "float32 has.\n"
          "\n"
          "A sample of weight 0 is ignored, except for what the kernel learns from its bases and "
          "for the repair. With similarity/linear it is solver/ridge, which needs less time and "
          "memory where samples outnumber columns; values are computed about the samples' mean "
          "where that is far from 0. The result does not depend on the number of threads.")
      .reference(
          "Saunders, Gammerman, Vovk 1998; Rasmussen and Williams: Gaussian Processes for Machine "
          "Learning, eq. (2.25) and (5.12); Suykens and Vandewalle 1999 (with the intercept); "
          "Oglic and Gärtner 2018 (Krein spaces)")
      .complexity(
          "n rows: n^2 / 2 kernel values, 4 n^2 bytes; per penalty 2/3 n^3 operations and 8 n^2 "
          "bytes. With a repair about 10 n^3 operations and 40 n^2 bytes. An estimate takes n "
          "kernel values")
      .reports(common::solver_figures({"objective", "gradient_norm", "squared_norm", "check_error",
                                       "check_violation", "support_vectors", "parameters",
                                       "train_seconds"}))
      .reports(common::penalty_figures())
      .reports(common::relative_error_figure());
  with_kernel(declaration)
      .parameter("penalty", &KernelRidge::penalty_,
                 "weight of |f|^2 against the squared errors, which scikit-learn calls alpha",
                 above(0))
      .parameter("penalties", &KernelRidge::penalties_,
                 "candidates, instead of `penalty`: the one with the smallest leave-one-out error "
                 "is used",
                 above(0))
      .parameter("intercept", &KernelRidge::intercept_,
                 "add a constant that is not penalized; without it, estimates shrink towards 0");
  return with_repair(declaration).example(R"(
        points: {is: source/friedman, train: 200, test: 200}
        x:      {is: normalizer/zscore, from: points}
        fit:    {is: solver/kernel_ridge, kernel: {is: similarity/rbf, gamma: 0.05},
                 penalties: [0.001, 0.01, 0.1, 1, 10], from: x}
        test:   {is: evaluator/regression, from: fit})");
}

void KernelRidge::check_parameters() const {
  check_repair();
  common::check_penalties(penalties_);
}

void KernelRidge::check_memory(const SortedSamples& samples, const Context& context) const {
  const std::size_t n = samples.order.size();
  const std::size_t wanted = samples.bytes_with_bases() + n * n * (sizeof(float) + sizeof(double));
  if (wanted <= context.memory_budget()) return;
  const auto mebibytes = [](std::size_t size) {
    return std::to_string((size + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
  };
  throw MemoryError("for n = " + std::to_string(n) +
                    " training rows the kernel's matrix takes 4 n^2 bytes and its factor 8 n^2, "
                    "with the samples " +
                    mebibytes(wanted) + ", but " + mebibytes(context.memory_budget()) +
                    " are allowed; train on fewer rows, raise --memory, or use solver/ridge on the "
                    "similarities to a part of the rows (basis/random)");
}

/// Fits all penalties, until a stop is requested.
Certificate KernelRidge::choose(const KernelRidgeProblem& problem, Choice& choice,
                                Context& context) const {
  const std::vector<double> penalties = penalties_.empty() ? std::vector{penalty_} : penalties_;
  try {
    choice.choose(penalties, context,
                  [&](double penalty) { return problem.fit(penalty, context); });
  } catch (const Cancelled&) {
    return stop_certificate(context);
  }
  return choice.best().gradient_norm <= ridge_tolerance ? Certificate::converged
                                                        : Certificate::iteration_limit;
}

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

void KernelRidge::train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                    Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  std::vector<std::uint32_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  SortedSamples samples(training, std::move(all));
  check_memory(samples, context);
  if (is_linear() && intercept_) samples.centre = far_centre(training, context);
  KernelMatrix matrix = kernel_matrix(kernel_task(), samples, context);
  if (matrix.values.rows == 0)
    matrix.values = whole_matrix(*matrix.source, samples.order.size(), context);
  context.check_stop();
  const KernelRidgeProblem problem(
      std::as_const(matrix.values).view(), training.targets, training.target_names.size(),
      training.weights, intercept_,
      is_linear() ? linear_product(samples, context) : KernelRidgeProblem::Product(), context);
  const common::LeftOutSamples used{problem.used(), training.weights, training.target_names};
  Choice choice(used, common::relative_error(used, training.targets),
                problem.constant_fit(penalties_.empty() ? penalty_ : penalties_.front()));
  const Certificate certificate = choose(problem, choice, context);
  const KernelRidgeFit& fit = choice.best();
  report.text("certificate", name(certificate));
  if (certificate == Certificate::iteration_limit)
    report.text("remedy", "rounding leaves a gradient above 1e-9; raise the penalty");
  report.number("objective", fit.objective);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("squared_norm", fit.squared_norm);
  choice.report(report, context);
  report_repair(matrix.repair, knows_spectrum(), report);
  LearnedFunctions learned{fit.intercepts, Terms(fit.coefficients.count()), {}, samples.centre};
  for (std::size_t k = 0; k < learned.terms.size(); ++k)
    for (std::size_t i = 0; i < problem.rows(); ++i)
      if (const double a = fit.coefficients.row(k)[i]; a != 0) learned.terms[k].push_back({i, a});
  const std::vector<char> support_vectors = samples_used(learned.terms, problem.rows());
  learned.vectors = choose_vectors(kernel_task(), samples, matrix.repair, learned.terms, context);
  MachineCheck checked;
  try {
    checked = check_fit(fit, samples, matrix.repair, learned, training,
                        certificate == Certificate::converged, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report_machine(checked, support_vectors, samples, report);
  set_sums(sums());
  take_functions({std::move(learned)});
  common::write_left_out(fit.left_out, used, training.targets, training.rows, *this, left_out,
                         context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

/// Compares the kernel's values, and the fit of a few samples, with their definition.
MachineCheck KernelRidge::check_fit(const KernelRidgeFit& fit, const SortedSamples& samples,
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

void KernelRidge::load(const StateReader& state, Context& context) {
  set_sums(sums());
  load_functions(state, context);
}

}  // namespace

ComponentEntry declare_kernel_ridge() { return KernelRidge::declare().entry(); }

}  // namespace semblance::kernel
