// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "interval_formula.hpp"
#include "matrix/kernel_matrix.hpp"
#include "penalty_choice.hpp"
#include "prefixed_state.hpp"
#include "ridge/interval_functions.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/declaration.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// `solver/kernel_intervals`: kernel ridge regression with intervals.
class KernelIntervals final : public IntervalRegressor, public DecisionValues {
 public:
  static Declaration<KernelIntervals> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  /// Of the estimates, not of the functions that intervals are made of.
  std::size_t decision_values() const noexcept override { return targets_; }
  void decide(MatrixView in, std::span<double> out, Context& context) const override;
  std::span<const std::uint32_t> vector_rows() const noexcept override { return origins_.rows; }
  const Similarity& sum_kernel() const override { return *kernel_; }
  std::span<const double> sum_biases() const override {
    return functions_.biases().first(targets_);
  }
  std::vector<double> sum_coefficients(std::size_t function) const override {
    return functions_.coefficients(function);
  }
  std::vector<Opposed> opposed_classes() const override { return {}; }

 private:
  using Choice = common::PenaltyChoice<KernelRidgeFit>;
  bool leaves_out() const { return method_ == "jackknife_plus"; }
  std::vector<double> all_penalties() const {
    return penalties_.empty() ? std::vector{penalty_} : penalties_;
  }
  void check_memory(std::size_t rows, std::size_t targets, const Context& context) const;
  /// k of the interval's ends, the k-th smallest and the k-th largest value; 0: they are infinite.
  std::size_t rank_of_ends(std::size_t samples) const {
    constexpr double rounding = 1e-12;
    const double beyond = (1 - coverage_) * static_cast<double>(samples + 1);
    return static_cast<std::size_t>(std::floor(beyond * (1 + rounding)));
  }
  void for_values(
      MatrixView in, Context& context,
      const std::function<void(std::size_t, std::span<const double>, double)>& take) const;
  void set_left_out_ends(std::span<const double> values, float* row) const;
  void set_gaussian_ends(std::span<const double> values, double itself, float* row) const;

  std::unique_ptr<Similarity> kernel_;
  double penalty_ = 1;
  std::vector<double> penalties_;
  bool intercept_ = true;
  std::string method_ = "gaussian";
  double coverage_ = 0.9;

  Layout layout_;
  std::size_t targets_ = 0;
  /// First the estimates of all targets. Then, for each target, those of the fits without each
  /// sample; or the functions whose squares make the variance.
  KernelExpansion functions_;
  VectorOrigins origins_;
  std::vector<double> errors_;  // targets x samples: of each without itself, not negative
  std::vector<double> scales_;  // by target: the prior deviation of the Gaussian process
  double noise_ = 0;            // its variance, as a share of the prior's
};

Declaration<KernelIntervals> KernelIntervals::declare() {
  Declaration<KernelIntervals> declaration(
      "solver/kernel_intervals",
      "Kernel ridge regression with intervals: jackknife+, or those of a Gaussian process");
  declaration
      .documentation(
          "The estimates are those of solver/kernel_ridge with the same kernel and penalty, each "
          "with an interval around it. Several target numbers have intervals of their own.\n"
          "\n"
          "`method: jackknife_plus`: with f_i the fit to all samples but i, and r_i the error of "
          "sample i under it, the interval of x reaches from the k-th smallest f_i(x) - r_i to the "
          "k-th largest f_i(x) + r_i, k = floor((1 - coverage) (n + 1)); it is infinite where k is "
          "0. If samples are exchangeable, it contains the number of a new one with a probability "
          "of at least 1 - 2 (1 - coverage), whatever their distribution, and in practice about "
          "`coverage`; one of several `penalties` is chosen with all samples, so that this is then "
          "approximate. All f_i follow from one inverse, without further training. Samples with "
          "weights or groups, and a kernel that learns from all samples (gamma: scale), are "
          "refused: use calibrator/conformal_intervals.\n"
          "\n"
          "`method: gaussian`: the number of a sample is a Gaussian process of covariance v k(x, "
          "x') about an unknown constant (`intercept`), plus noise of variance v penalty / weight. "
          "Given the samples, that of a new one has the mean f(x) and the variance v (k(x, x) - "
          "q(x) + penalty), where q(x) is the quadratic form of (k(x_i, x), 1) with the inverse of "
          "the matrix of the linear system for f. v is the estimate of restricted likelihood, a y "
          "/ (W - 1) for the coefficients a and the sum W of weights, which are numbers of copies "
          "(a y / W without intercept). The deviation of the number is (upper - lower) / 2, "
          "divided by the normal quantile of `coverage`: 1.645 for 0.9. Intervals are wide where "
          "samples are far, but right only as far as the model is: calibrator/conformal_quantiles "
          "corrects them.\n"
          "\n"
          "An interval always contains the estimate.")
      .reference(
          "Barber, Candes, Ramdas and Tibshirani, Predictive inference with the jackknife+, 2021, "
          "theorem 1; Rasmussen and Williams: Gaussian Processes for Machine Learning, eq. (2.26) "
          "and (2.42) (with the constant's prior flat)")
      .complexity(
          "as solver/kernel_ridge, and another 2 n^3 operations; 8 n^2 bytes for each target "
          "number (gaussian: once), also in the model. An estimate takes n kernel values, its "
          "interval 2 n^2 operations for each target number (gaussian: once)")
      .takes_weights()
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence,
                LayoutKind::string, LayoutKind::set, LayoutKind::sparse, LayoutKind::graph})
      .parameter("kernel", &KernelIntervals::kernel_, "the similarity measure",
                 default_component("similarity/rbf"))
      .parameter("penalty", &KernelIntervals::penalty_,
                 "weight of |f|^2 against the squared errors; gaussian: variance of the noise over "
                 "that of the process",
                 above(0))
      .parameter("penalties", &KernelIntervals::penalties_,
                 "candidates, instead of `penalty`: the one with the smallest leave-one-out error "
                 "is used",
                 above(0))
      .parameter("intercept", &KernelIntervals::intercept_,
                 "add a constant that is not penalized; without it, estimates shrink towards 0")
      .parameter("method", &KernelIntervals::method_,
                 "`jackknife_plus`: whatever the distribution; `gaussian`: those of a Gaussian "
                 "process, wider where samples are far",
                 choices({"jackknife_plus", "gaussian"}))
      .parameter("coverage", &KernelIntervals::coverage_,
                 "the share of new samples whose interval is to contain their number", above(0),
                 below(1))
      .reports(
          common::solver_figures({"objective", "gradient_norm", "squared_norm", "train_seconds"}))
      .reports(common::penalty_figures())
      .reports(common::relative_error_figure())
      .reports({"prior_deviation", "of the Gaussian process, mean over the targets"})
      .example(R"(
        points: {is: source/friedman, train: 200, test: 200}
        x:      {is: normalizer/zscore, from: points}
        fit:    {is: solver/kernel_intervals, kernel: {is: similarity/rbf, gamma: 0.05},
                 penalties: [0.01, 0.1, 1], from: x}
        test:   {is: evaluator/coverage, from: fit})");
  return declaration;
}

void KernelIntervals::check_parameters() const {
  common::check_penalties(penalties_);
  if (leaves_out() && kernel_->learns_from_bases())
    throw Error(
        "'method: jackknife_plus' leaves out each sample, but the kernel learns its values from "
        "all of them (as with gamma: scale, or width: auto); give its parameters numbers, or use "
        "calibrator/conformal_intervals after solver/kernel_ridge");
}

Layout KernelIntervals::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot be compared");
  layout_ = input;
  kernel_->bind(input);
  if (!leaves_out() && (!kernel_->abilities().compares_with_itself ||
                        !kernel_->positive_semidefinite() || kernel_->inner_product()))
    throw Error(
        "'method: gaussian' needs a kernel that is positive semi-definite by construction and "
        "compares a sample with itself, such as similarity/rbf; use method: jackknife_plus");
  return Layout::vector(3 * targets_);
}

void KernelIntervals::check_memory(std::size_t rows, std::size_t targets,
                                   const Context& context) const {
  const std::size_t functions = leaves_out() ? rows * targets : rows + 1;
  const std::size_t wanted = rows * rows * (sizeof(float) + 2 * sizeof(double)) +
                             rows * functions * (sizeof(Term) + sizeof(double));
  if (wanted > context.memory_budget())
    throw MemoryError(
        "for n = " + std::to_string(rows) +
        " training rows the kernel's matrix, its inverse and the intervals' functions "
        "take " +
        std::to_string((wanted >> 20) + 1) + " MiB, but " +
        std::to_string(context.memory_budget() >> 20) +
        " are allowed; train on fewer rows, raise --memory, or use "
        "calibrator/conformal_intervals after solver/kernel_ridge");
}

void check_exchangeable(const TrainingSet& training) {
  const auto other = [&](double w) { return w != training.weights.front(); };
  if (!training.groups.empty() || std::ranges::any_of(training.weights, other))
    throw Error(
        "'method: jackknife_plus' counts all samples alike, but they have weights or groups; use "
        "calibrator/conformal_intervals after solver/kernel_ridge");
}

void KernelIntervals::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  if (leaves_out()) check_exchangeable(training);
  kernel_->bind(training.layout);
  layout_ = training.layout;
  targets_ = training.target_names.size();
  check_memory(training.rows.rows(), targets_, context);
  std::vector<std::uint32_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  const SortedSamples samples(training, std::move(all));
  const KernelTask task{*kernel_, kernel_->positive_semidefinite()};
  KernelMatrix matrix = kernel_matrix(task, samples, context);
  if (matrix.values.rows == 0)
    matrix.values = whole_matrix(*matrix.source, samples.order.size(), context);
  const MatrixView kernel = std::as_const(matrix.values).view();
  const KernelRidgeProblem problem(kernel, training.targets, targets_, training.weights, intercept_,
                                   {}, context);
  const common::LeftOutSamples used{problem.used(), training.weights, training.target_names};
  const KernelRidgeFit constant = problem.constant_fit(all_penalties().front());
  Choice choice(used, common::relative_error(used, training.targets),
                problem.constant_fit(constant.penalty));
  const IntervalSetting setting{kernel, problem.used(), training, intercept_};
  IntervalFunctions made;
  bool stopped = false;
  try {
    choice.choose(all_penalties(), context,
                  [&](double penalty) { return problem.fit(penalty, context); });
    made = leaves_out() ? left_out_functions(choice.best(), setting, context)
                        : variance_functions(choice.best(), setting, context);
  } catch (const Cancelled&) {  // a stop still requires a model
    stopped = true;
    made = constant_functions(constant, setting);
  }
  const KernelRidgeFit& fit = stopped ? constant : choice.best();
  errors_ = std::move(made.errors);
  scales_ = std::move(made.scales);
  noise_ = stopped ? 1 : fit.penalty;
  const bool optimal = fit.gradient_norm <= ridge_tolerance;
  report.text("certificate", name(stopped   ? stop_certificate(context)
                                  : optimal ? Certificate::converged
                                            : Certificate::iteration_limit));
  if (!stopped && !optimal)
    report.text("remedy", "rounding leaves a gradient above 1e-9; raise the penalty");
  report.number("objective", fit.objective);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("squared_norm", fit.squared_norm);
  choice.report(report, context);
  if (!stopped && leaves_out() && rank_of_ends(problem.used().size()) == 0)
    context.log(LogLevel::warning, std::to_string(problem.used().size()) +
                                       " training rows are too few for this 'coverage': all "
                                       "intervals are infinite; lower it, or give more rows");
  if (!stopped && !scales_.empty())
    report.number("prior_deviation", std::accumulate(scales_.begin(), scales_.end(), 0.0) /
                                         static_cast<double>(targets_));
  MachineVectors vectors = choose_vectors(task, samples, matrix.repair, made.terms, context);
  functions_ = KernelExpansion(std::move(made.biases), made.terms, vectors.starts);
  origins_ = {std::move(vectors.rows)};
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void KernelIntervals::set_left_out_ends(std::span<const double> values, float* row) const {
  const std::size_t n = errors_.size() / targets_, rank = rank_of_ends(n);
  std::vector<double> lower(n), upper(n);
  for (std::size_t k = 0; k < targets_; ++k) {
    if (rank == 0) {
      common::set_ends(-unbounded, unbounded, row + 3 * k);
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double value = values[targets_ + k * n + i], error = errors_[k * n + i];
      lower[i] = value - error;
      upper[i] = -value - error;
    }
    const auto at = static_cast<std::ptrdiff_t>(rank - 1);
    std::ranges::nth_element(lower, lower.begin() + at);
    std::ranges::nth_element(upper, upper.begin() + at);
    common::set_ends(lower[rank - 1], -upper[rank - 1], row + 3 * k);
  }
}

void KernelIntervals::set_gaussian_ends(std::span<const double> values, double itself,
                                        float* row) const {
  double variance = values.size() > targets_ ? itself : 0;  // of a constant: the noise alone
  for (std::size_t f = targets_; f < values.size(); ++f)
    variance += values[f] * values[f] * (intercept_ && f + 1 == values.size() ? 1 : -1);
  const double deviation = std::sqrt(std::max(variance, 0.0) + noise_);
  for (std::size_t k = 0; k < targets_; ++k) {
    const double half = normal_end(1 - coverage_) * scales_[k] * deviation;
    common::set_ends(values[k] - half, values[k] + half, row + 3 * k);
  }
}

/// Calls take(i, values of all functions, similarity to itself) for each row.
void KernelIntervals::for_values(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, std::span<const double>, double)>& take) const {
  constexpr std::size_t rows_at_once = 64;
  if (targets_ == 0) throw Error("the solver has not been trained");
  if (in.cols != layout_.size())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(layout_.size()));
  const std::size_t count = functions_.count();
  FloatMatrix kernel(std::min(rows_at_once, in.rows), functions_.vectors());
  std::vector<float> itself(rows_at_once);
  for (std::size_t first = 0; first < in.rows; first += rows_at_once) {
    context.check_stop();
    const std::size_t some = std::min(rows_at_once, in.rows - first);
    const MatrixView rows = in.rows_range(first, some);
    const MutableMatrixView block = kernel.view().rows_range(0, some);
    kernel_->apply(rows, block, context);
    if (!scales_.empty()) kernel_->compare_with_itself(rows, itself.data());
    const std::vector<double> values = functions_.values(block);
    for (std::size_t i = 0; i < some; ++i)
      take(first + i, std::span(values).subspan(i * count, count), double{itself[i]});
  }
}

void KernelIntervals::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_estimates(out, 3 * targets_);
  for_values(in, context, [&](std::size_t i, std::span<const double> values, double itself) {
    float* const row = out.row(i);
    for (std::size_t k = 0; k < targets_; ++k) row[3 * k + 1] = static_cast<float>(values[k]);
    if (!errors_.empty())
      set_left_out_ends(values, row);
    else if (!scales_.empty())
      set_gaussian_ends(values, itself, row);
    else
      for (std::size_t k = 0; k < targets_; ++k)
        common::set_ends(-unbounded, unbounded, row + 3 * k);
  });
}

void KernelIntervals::decide(MatrixView in, std::span<double> out, Context& context) const {
  for_values(in, context, [&](std::size_t i, std::span<const double> values, double) {
    std::copy_n(values.begin(), targets_, out.begin() + static_cast<std::ptrdiff_t>(i * targets_));
  });
}

void KernelIntervals::save(StateWriter& state) const {
  if (targets_ == 0) throw Error("the solver has not been trained");
  functions_.save(state);
  origins_.save(state);
  state.integer("target_numbers", static_cast<std::int64_t>(targets_));
  state.doubles("errors", errors_);
  state.doubles("scales", scales_);
  state.number("noise", noise_);
  common::PrefixedWriter prefixed(state, "kernel_");
  kernel_->save(prefixed);
}

void KernelIntervals::load(const StateReader& state, Context& context) {
  KernelExpansion functions(state);
  kernel_->load(common::PrefixedReader(state, "kernel_"), context);
  const auto targets = static_cast<std::size_t>(state.integer("target_numbers"));
  errors_ = state.doubles("errors");
  scales_ = state.doubles("scales");
  noise_ = state.number("noise");
  const std::size_t vectors = functions.vectors();
  const std::size_t others = !errors_.empty()   ? errors_.size()
                             : !scales_.empty() ? vectors + (intercept_ ? 1 : 0)
                                                : 0;
  const bool constant = errors_.empty() && functions.count() == targets;
  check_saved(targets > 0 && kernel_->bases() == vectors &&
              (constant || functions.count() == targets + others) &&
              errors_.size() % targets == 0 && (scales_.empty() || scales_.size() == targets));
  origins_ = VectorOrigins::load(state, vectors);
  functions_ = std::move(functions);
  targets_ = targets;
}

}  // namespace

ComponentEntry declare_kernel_intervals() { return KernelIntervals::declare().entry(); }

}  // namespace semblance::kernel
