// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interval_formula.hpp"
#include "ridge/ridge_machine.hpp"
#include "semblance/error.hpp"
#include "semblance/regressor.hpp"

namespace semblance::kernel {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The number that a standard normal number exceeds in absolute value with this probability.
double normal_end(double probability) {
  double low = 0, high = 40;
  for (int n = 0; n < 100; ++n) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) > probability ? low : high) = middle;
  }
  return low;
}

/// `solver/kernel_intervals`: kernel ridge regression with intervals.
class KernelIntervals final : public KernelMachine<IntervalRegressor, RidgeMachine> {
 public:
  static Declaration<KernelIntervals> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  std::optional<double> normal_quantile() const override {
    return leaves_out() ? std::nullopt : std::optional(normal_end(1 - coverage_));
  }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  /// The machine's functions are first the estimates of all targets. Then follow, for each target,
  /// the fits without each sample; or the functions whose squares make the variance.
  std::size_t decision_values() const noexcept override { return targets_; }
  void decide(MatrixView in, std::span<double> out, Context& context) const override;
  std::span<const double> sum_biases() const override {
    return functions().biases().first(targets_);
  }
  SupportVectorMachine support_vectors() const override { throw Error(only_estimates); }
  Formula::Value write(Formula&, Formula::Value) const override { throw Error(only_estimates); }

 private:
  static constexpr const char* only_estimates =
      "the ends of its intervals are no sums over examples; use solver/kernel_ridge with the same "
      "penalty, which gives the estimates alone";
  bool leaves_out() const { return method_ == "jackknife_plus"; }
  Additions additions(const TrainingSet& training, Context& context) const;
  /// k of the interval's ends, the k-th smallest and the k-th largest value; 0: they are infinite.
  std::size_t rank_of_ends(std::size_t samples) const {
    constexpr double rounding = 1e-12;
    const double beyond = (1 - coverage_) * static_cast<double>(samples + 1);
    return static_cast<std::size_t>(std::floor(beyond * (1 + rounding)));
  }
  void set_left_out_ends(std::span<const double> values, float* row) const;
  void set_gaussian_ends(std::span<const double> values, double itself, float* row) const;

  std::string method_ = "gaussian";
  std::string choose_by_ = "squared_error";
  double coverage_ = 0.9;

  std::size_t targets_ = 0;
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
          "with an interval around it. Several target numbers have intervals of their own.\n\n"
          "`method: jackknife_plus`: with f_i the fit to all samples but i, and r_i the error of "
          "sample i under it, the interval of x reaches from the k-th smallest f_i(x) - r_i to the "
          "k-th largest f_i(x) + r_i, k = floor((1 - coverage) (n + 1)); it is infinite where k is "
          "0. If samples are exchangeable, it contains the number of a new one with a probability "
          "of at least 1 - 2 (1 - coverage), whatever their distribution, and in practice about "
          "`coverage`; one of several `penalties` is chosen with all samples, so that this is then "
          "approximate. All f_i follow from one inverse, without further training. Samples with "
          "weights or groups, and a kernel that learns from all samples (gamma: scale), are "
          "refused: use calibrator/conformal_intervals.\n\n"
          "`method: gaussian`: the number of a sample is a Gaussian process of covariance v k(x, "
          "x') about an unknown constant (`intercept`), plus noise of variance v penalty / weight. "
          "Given the samples, that of a new one has the mean f(x) and the variance v (k(x, x) - "
          "q(x) + penalty), where q(x) is the quadratic form of (k(x_i, x), 1) with the inverse of "
          "the matrix of the linear system for f. v is the estimate of restricted likelihood, a y "
          "/ (W - 1) for the coefficients a and the sum W of weights, which are numbers of copies "
          "(a y / W without intercept). The deviation of the number is (upper - lower) / 2, "
          "divided by the normal quantile of `coverage`: 1.645 for 0.9. Intervals are wide where "
          "samples are far, but right only as far as the model is: calibrator/conformal_quantiles "
          "corrects them. `choose_by: likelihood` takes the one of `penalties` with the largest "
          "restricted likelihood, which is that of contrasts, whatever the constant is.\n\n"
          "An interval always contains the estimate.")
      .reference(
          "Barber, Candes, Ramdas and Tibshirani, Predictive inference with the jackknife+, 2021, "
          "theorem 1; Rasmussen and Williams: Gaussian Processes for Machine Learning, eq. (2.26) "
          "and (2.42) (with the constant's prior flat)")
      .complexity(
          "as solver/kernel_ridge, and another 2 n^3 operations; 8 n^2 bytes for each target "
          "number (gaussian: once), also in the model. An estimate takes n kernel values, its "
          "interval 2 n^2 operations for each target number (gaussian: once)");
  declare_ridge(declaration,
                "weight of |f|^2 against the squared errors; gaussian: variance of the noise over "
                "that of the process");
  return declaration
      .parameter("method", &KernelIntervals::method_,
                 "`jackknife_plus`: whatever the distribution; `gaussian`: those of a Gaussian "
                 "process, wider where samples are far",
                 choices({"jackknife_plus", "gaussian"}))
      .parameter(
          "choose_by", &KernelIntervals::choose_by_,
          "what the chosen one of `penalties` makes smallest: the mean squared leave-one-out "
          "error, or, with gaussian, the negative logarithm of the likelihood",
          choices({"squared_error", "likelihood"}))
      .parameter("coverage", &KernelIntervals::coverage_,
                 "the share of new samples whose interval is to contain their number", above(0),
                 below(1))
      .reports(repair_figures())
      .reports({"negative_log_likelihood",
                "per sample, of the Gaussian process: the restricted one, mean over the targets"})
      .reports({"penalties.negative log likelihood", "the same for each penalty", FigureUnit::plain,
                Better::lower})
      .reports({"prior_deviation", "of the Gaussian process, mean over the targets"})
      .reports({"normal_quantile",
                "half the width of a Gaussian process's interval over the deviation of the number"})
      .example(R"(
        points: {is: source/friedman, train: 200, test: 200}
        x:      {is: normalizer/zscore, from: points}
        fit:    {is: solver/kernel_intervals, kernel: {is: similarity/rbf, gamma: 0.05},
                 penalties: [0.01, 0.1, 1], from: x}
        test:   {is: evaluator/coverage, from: fit})");
}

void KernelIntervals::check_parameters() const {
  common::check_penalties(penalties_);
  if (leaves_out() && choose_by_ == "likelihood")
    throw Error(
        "'choose_by: likelihood' is that of a Gaussian process; use it with method: gaussian");
  if (leaves_out() && kernel_->learns_from_bases())
    throw Error(
        "'method: jackknife_plus' leaves out each sample, but the kernel learns its values from "
        "all of them (as with gamma: scale, or width: auto); give its parameters numbers, or use "
        "calibrator/conformal_intervals after solver/kernel_ridge");
}

Layout KernelIntervals::bind(const Layout& input) {
  bind_rows(input);
  if (!leaves_out() && (!kernel_->abilities().compares_with_itself ||
                        !kernel_->positive_semidefinite() || kernel_->inner_product()))
    throw Error(
        "'method: gaussian' needs a kernel that is positive semi-definite by construction and "
        "compares a sample with itself, such as similarity/rbf; use method: jackknife_plus");
  return Layout::vector(3 * targets_);
}

void check_exchangeable(const TrainingSet& training) {
  const auto other = [&](double w) { return w != training.weights.front(); };
  if (!training.groups.empty() || std::ranges::any_of(training.weights, other))
    throw Error(
        "'method: jackknife_plus' counts all samples alike, but they have weights or groups; use "
        "calibrator/conformal_intervals after solver/kernel_ridge");
}

RidgeMachine::Additions KernelIntervals::additions(const TrainingSet& training,
                                                   Context& context) const {
  const std::size_t n = training.rows.rows();
  const std::size_t functions = leaves_out() ? n * training.target_names.size() : n + 1;
  const auto make = leaves_out() ? left_out_functions : variance_functions;
  return {[make, &context](const KernelRidgeFit& fit, const IntervalSetting& setting) {
            return make(fit, setting, context);
          },
          n * n * sizeof(double) + n * functions * (sizeof(Term) + sizeof(double)),
          "and the intervals' functions ",
          "use calibrator/conformal_intervals after solver/kernel_ridge",
          choose_by_ == "likelihood"};
}

void KernelIntervals::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  if (leaves_out()) check_exchangeable(training);
  Trained made = learn(training, additions(training, context), report, context);
  targets_ = training.target_names.size();
  errors_ = std::move(made.added.errors);
  scales_ = made.complete ? std::move(made.added.scales) : constant_scales(made.fit, training);
  noise_ = made.complete ? made.fit.penalty : 1;
  if (made.complete && leaves_out() && rank_of_ends(made.used.size()) == 0)
    context.log(LogLevel::warning, std::to_string(made.used.size()) +
                                       " training rows are too few for this 'coverage': all "
                                       "intervals are infinite; lower it, or give more rows");
  if (made.complete && !scales_.empty())
    report.number("prior_deviation", std::accumulate(scales_.begin(), scales_.end(), 0.0) /
                                         static_cast<double>(targets_));
  if (const auto quantile = normal_quantile()) report.number("normal_quantile", *quantile);
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
  double variance = itself;
  for (std::size_t f = targets_; f < values.size(); ++f)
    variance += values[f] * values[f] * (intercept_ && f + 1 == values.size() ? 1 : -1);
  const double deviation = std::sqrt(std::max(variance, 0.0) + noise_);
  const double ends = normal_end(1 - coverage_);
  for (std::size_t k = 0; k < targets_; ++k) {
    const double half = ends * scales_[k] * deviation;
    common::set_ends(values[k] - half, values[k] + half, row + 3 * k);
  }
}

void KernelIntervals::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_estimates(out, 3 * targets_);
  const bool process = !scales_.empty() && functions().count() > targets_;
  std::vector<float> itself(process ? in.rows : 0);
  if (process) kernel_->compare_with_itself(in, itself.data());
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    float* const row = out.row(i);
    for (std::size_t k = 0; k < targets_; ++k) row[3 * k + 1] = static_cast<float>(values[k]);
    if (!errors_.empty())
      set_left_out_ends(values, row);
    else if (!scales_.empty())
      set_gaussian_ends(values, process ? double{itself[i]} : 0, row);
    else
      for (std::size_t k = 0; k < targets_; ++k)
        common::set_ends(-unbounded, unbounded, row + 3 * k);
  });
}

void KernelIntervals::decide(MatrixView in, std::span<double> out, Context& context) const {
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    std::ranges::copy(values.first(targets_),
                      out.begin() + static_cast<std::ptrdiff_t>(i * targets_));
  });
}

void KernelIntervals::save(StateWriter& state) const {
  save_functions(state);
  state.integer("target_numbers", static_cast<std::int64_t>(targets_));
  state.doubles("errors", errors_);
  state.doubles("scales", scales_);
  state.number("noise", noise_);
}

void KernelIntervals::load(const StateReader& state, Context& context) {
  load_ridge(state, context);
  targets_ = static_cast<std::size_t>(state.integer("target_numbers"));
  errors_ = state.doubles("errors");
  scales_ = state.doubles("scales");
  noise_ = state.number("noise");
  const std::size_t others = !errors_.empty()   ? errors_.size()
                             : !scales_.empty() ? functions().vectors() + (intercept_ ? 1 : 0)
                                                : 0;
  const bool constant = errors_.empty() && functions().count() == targets_;
  check_saved(targets_ > 0 && (constant || functions().count() == targets_ + others) &&
              errors_.size() % targets_ == 0 && (scales_.empty() || scales_.size() == targets_));
}

}  // namespace

ComponentEntry declare_kernel_intervals() { return KernelIntervals::declare().entry(); }

}  // namespace semblance::kernel
