// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <string>

#include "kernel_functions.hpp"
#include "regression_training.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

/// `solver/kernel_svr`: support vector regression on any similarity measure.
class KernelSvr final : public Regressor,
                        public KernelFunctions,
                        public Exportable,
                        public SupportVectors {
 public:
  KernelSvr() : KernelFunctions(Sums::zero) {}
  static Declaration<KernelSvr> declare();

  void check_parameters() const override { check_repair(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override { save_functions(state); }
  void load(const StateReader& state, Context& context) override { load_functions(state, context); }
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return formula.narrow(write_functions(formula, in));
  }
  SupportVectorMachine support_vectors() const override { return function_on_vectors(); }

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
          "range of the targets, the estimate is a constant, the middle of the range.\n"
          "\n"
          "`tolerance` and `violation` are shares of the target's mean absolute deviation from its "
          "median (weighted by the rows' weights), where LIBSVM's eps is in the unit of the "
          "target: 0.001 of targets of 1e-8 is never violated, and 0.001 of 5e5 takes too long. "
          "The machine learns each number minus the median, divided by a power of two, in double: "
          "a constant added to the targets is added to the bias, and loses no digits.\n"
          "\n"
          "Working sets, kernel rows, repairs of indefinite kernels with `krein`, sparse samples, "
          "samples that differ in size, and similarity/linear about the rows' mean are those of "
          "solver/kernel_svm, and so is what the certificate 'converged' promises of the duality "
          "gap. The result does not depend on the number of threads. A random sample of training "
          "rows is evaluated "
          "by the kernel's definition in double: `check_error` is the largest difference between "
          "kernel values, as a share of the largest, and more than 0.001 is an error, as are "
          "estimates that violate the optimality conditions by 0.1 of the target's deviation more "
          "than training saw.")
      .takes_weights()
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence,
                LayoutKind::string, LayoutKind::set, LayoutKind::sparse, LayoutKind::graph,
                LayoutKind::pair})
      .reference(
          "Drucker et al. 1997; Smola, Schölkopf 2004, section 1.4; Chang, Lin 2011, section 2.4; "
          "Fan, Chen, Lin 2005; Loosli, Canu, Ong 2016; Oglic, Gärtner 2019")
      .complexity(
          "for each target number kernel rows of about 1.5 times the support vectors; with a "
          "kernel not known to be positive semi-definite, n^2 values and n^3 / 3 operations "
          "(refuse) or about 10 n^3 (repairs)")
      .reports(common::solver_figures({"objective", "duality_gap", "violation", "iterations",
                                       "working_sets", "check_error", "check_violation",
                                       "support_vectors", "parameters", "train_seconds"}));
  with_kernel(declaration)
      .parameter("C", &KernelSvr::cost_,
                 "weight of the losses against the regularizer, and largest coefficient, in the "
                 "unit of the target",
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
      .example(R"(
        table: {is: source/friedman, train: 200}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 1}, C: 10, epsilon: 0.5, from: table}
        test:  {is: evaluator/regression, from: svr})");
}

Layout KernelSvr::bind(const Layout& input) {
  bind_rows(input);
  return Layout::vector(functions());
}

void KernelSvr::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  numerics::DualOptions options;
  options.tolerance = options.gap = tolerance_;
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  const RegressionTask task{kernel_task(), cost_, epsilon_, relative_, options};
  take_functions(learn_numbers(task, training, report, context));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void KernelSvr::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_estimates(out, functions());
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    for (std::size_t t = 0; t < values.size(); ++t) out.row(i)[t] = static_cast<float>(values[t]);
  });
}

}  // namespace

ComponentEntry declare_kernel_svr() { return KernelSvr::declare().entry(); }

}  // namespace semblance::kernel
