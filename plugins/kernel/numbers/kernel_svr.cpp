// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "dual/learning.hpp"
#include "dual/solution_report.hpp"
#include "expansion/linear_functions.hpp"
#include "machine/kernel_functions.hpp"
#include "numbers/target_unit.hpp"
#include "semblance/regressor.hpp"

namespace semblance::kernel {
namespace {

/// `solver/kernel_svr`: support vector regression on any similarity measure.
class KernelSvr final : public KernelMachine<Regressor> {
 public:
  KernelSvr() : KernelMachine(Sums::zero) {}
  static Declaration<KernelSvr> declare();
  void train(const TrainingSet& training, Report& report, Context& context) override;

 private:
  double cost_ = 1;
  double epsilon_ = 0.1;
  bool relative_ = false;
  double tolerance_ = 1e-3;
  std::int64_t max_iterations_ = 10'000'000;
};

Declaration<KernelSvr> KernelSvr::declare() {
  Declaration<KernelSvr> declaration(
      "solver/kernel_svr",
      "Support vector regression with the epsilon-insensitive loss on any similarity measure");
  declaration
      .documentation(
          "Minimizes 1/2 |w|^2 + C sum max(0, |t - f(x)| - epsilon), f(x) = <w, phi(x)> + bias, in "
          "the dual, for each target number t by itself; the bias is not regularized. The problem "
          "and the sign of `objective` are those of LIBSVM's epsilon-SVR. Targets may be as they "
          "come: C and epsilon are in their unit, as in LIBSVM, so that targets of 5e5 need a "
          "larger epsilon than 0.1, and a larger C, than targets of 1 or 1e-8. A row whose "
          "estimate is within epsilon is no support vector; if an epsilon is larger than half the "
          "range of the targets, the estimate is a constant, the middle of the range.\n\n"
          "`tolerance` and `violation` are shares of the target's mean absolute deviation from its "
          "median (weighted by the rows' weights), where LIBSVM's eps is in the unit of the "
          "target: 0.001 of targets of 1e-8 is never violated, and 0.001 of 5e5 takes too long. "
          "The machine learns each number minus the median, divided by a power of two, in double: "
          "a constant added to the targets is added to the bias, and loses no digits.\n\n"
          "Working sets, kernel rows, repairs of indefinite kernels with `krein`, sparse samples, "
          "samples that differ in size, and similarity/linear about the rows' mean are those of "
          "solver/kernel_svm, and so is what the certificate 'converged' promises of the duality "
          "gap. The result does not depend on the number of threads. A random sample of training "
          "rows is evaluated by the kernel's definition in double: `check_error` is the largest "
          "difference between kernel values, as a share of the largest, and more than 0.001 is an "
          "error, as are estimates that violate the optimality conditions by 0.1 of the target's "
          "deviation more than training saw.")
      .reference(
          "Drucker et al. 1997; Smola, Schölkopf 2004, section 1.4; Chang, Lin 2011, section 2.4; "
          "Fan, Chen, Lin 2005; Loosli, Canu, Ong 2016; Oglic, Gärtner 2019")
      .complexity(
          "for each target number kernel rows of about 1.5 times the support vectors; with a "
          "kernel not known to be positive semi-definite, n^2 values and n^3 / 3 operations "
          "(refuse) or about 10 n^3 (repairs)")
      .reports(dual_figures());
  with_kernel(declaration)
      .parameter("C", &KernelSvr::cost_,
                 "weight of the losses against the regularizer, and largest coefficient, in the "
                 "unit of the target: the larger, the closer the fit to the training rows",
                 above(0))
      .parameter("epsilon", &KernelSvr::epsilon_,
                 "deviation from the target that costs nothing, in the unit of the target",
                 at_least(0))
      .parameter("relative", &KernelSvr::relative_,
                 "whether C and epsilon are multiples of the target's mean absolute deviation from "
                 "its median, so that the same values suit targets of any size");
  return with_repair(declaration)
      .parameter("tolerance", &KernelSvr::tolerance_,
                 "violation of the optimality conditions, as a share of the target's mean absolute "
                 "deviation from its median, and duality gap, of the objective, at which it stops",
                 above(0), below(1))
      .parameter("max_iterations", &KernelSvr::max_iterations_,
                 "maximum number of pair steps per target number", at_least(1))
      .gone({.written = "solver/libsvm_svr",
             .since = "1.0",
             .advice = "solver/kernel_svr reaches the same objective"})
      .example(R"(
        table: {is: source/friedman, train: 200}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 1}, C: 10, epsilon: 0.5, from: table}
        test:  {is: evaluator/regression, from: svr})");
}

/// One target number, as the machine learns it.
struct Target {
  std::vector<double> numbers;  // as given
  TargetUnit unit;
  double epsilon = 0;         // in that unit
  std::vector<double> costs;  // C of each row, in that unit

  double learned(std::size_t i) const { return (numbers[i] - unit.centre) / unit.unit; }
};

/// The problems of all target numbers, of all rows: 0 <= b_i <= C, then -C <= b*_i <= 0.
class NumberProblems final : public DualTask {
 public:
  explicit NumberProblems(std::vector<Target> targets) : targets_(std::move(targets)) {}

  std::size_t count() const noexcept override { return targets_.size(); }
  std::array<numerics::Range, 2> parts(std::size_t) const override {
    const numerics::Range all{0, rows()};
    return {all, all};
  }
  Variable variable(std::size_t t, std::size_t i) const override {
    const Target& target = targets_[t];
    const std::size_t row = i % rows();
    const int label = i < rows() ? 1 : -1;
    return {label, target.costs[row], target.learned(row) - label * target.epsilon};
  }
  double unit(std::size_t t) const override { return targets_[t].unit.spread; }
  Units units(std::size_t t) const override {
    const auto [centre, unit, spread] = targets_[t].unit;
    return {unit, centre, unit * unit, unit * unit};
  }

 private:
  std::size_t rows() const noexcept { return targets_.front().numbers.size(); }

  std::vector<Target> targets_;
};

/// C and epsilon are in the unit of the targets, or, if they are relative, multiples of each
/// target's mean absolute deviation from its median.
Target target_of(const TrainingSet& training, const std::vector<double>& weights, std::size_t which,
                 double cost, double epsilon, bool relative) {
  constexpr double largest = 1e300;  // a bound that is never reached
  Target made;
  const std::size_t count = training.target_names.size();
  for (std::size_t i = 0; i < weights.size(); ++i)
    made.numbers.push_back(training.targets[i * count + which]);
  made.unit = target_unit(made.numbers, weights);
  // In the learned unit, C and epsilon become smaller by its size, unless they are in it already.
  const double multiple = relative ? made.unit.spread : 1 / made.unit.unit;
  double most = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    made.costs.push_back(std::min(cost * weights[i] * multiple, largest));
    if (weights[i] > 0) most = std::max(most, std::abs(made.learned(i)));
  }
  // Any larger epsilon makes the same machine, the middle of the numbers, but loses their digits.
  made.epsilon = std::min(epsilon * multiple, 2 * most);
  return made;
}

void KernelSvr::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  numerics::DualOptions options;
  options.tolerance = options.gap = tolerance_;
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  std::vector<std::uint32_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<double> weights = sample_weights(training, all);
  SortedSamples rows(training, std::move(all));
  const KernelTask task = kernel_task();
  if (task.linear) rows.centre = far_centre(training, context);
  std::vector<Target> targets;
  for (std::size_t t = 0; t < training.target_names.size(); ++t)
    targets.push_back(target_of(training, weights, t, cost_, epsilon_, relative_));
  const NumberProblems problems(std::move(targets));
  const KernelMatrix matrix = kernel_matrix(task, rows, context);
  const DualSetting setting{task,   rows, *matrix.source, options, matrix.bytes_left(context),
                            context};
  std::vector<Solved> solved{{problems, solve(setting, problems)}};
  const auto name = [&](std::size_t t) { return training.target_names[t]; };
  std::vector<Learned> learned = learn(setting, solved, matrix.repair, name, report);
  report_doubt(solved.front().solutions, options, report);
  take_functions({std::move(learned.front().functions)});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

}  // namespace

ComponentEntry declare_kernel_svr() { return KernelSvr::declare().entry(); }

}  // namespace semblance::kernel
