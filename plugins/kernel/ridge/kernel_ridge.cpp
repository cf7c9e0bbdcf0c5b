// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>

#include "ridge/ridge_machine.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/regressor.hpp"

namespace semblance::kernel {
namespace {

/// `solver/kernel_ridge`: least squares in the space of a kernel.
class KernelRidge final : public KernelMachine<Regressor, RidgeMachine>, public LeftOutScores {
 public:
  static Declaration<KernelRidge> declare();

  void check_parameters() const override {
    check_repair();
    common::check_penalties(penalties_);
  }
  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }
  std::string left_out_problem() const override { return shared_matrix_problem(); }
  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override;
  void load(const StateReader& state, Context& context) override { load_ridge(state, context); }
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
          "the noise variance `penalty` is the same function. All targets share one factor.\n\n"
          "The error of each training sample under the fit to all other samples follows from its "
          "coefficient and the diagonal of the inverse: `leave_one_out_rmse` is exact, not an "
          "estimate from folds. With `penalties` the one with the smallest mean squared "
          "leave-one-out error is chosen; for several targets, with the smallest mean of these "
          "errors over the variances of the targets. Ties, also those but for rounding, go to the "
          "larger penalty. What the kernel learns from its bases (a width) and the repair of its "
          "matrix are those of all training samples. Each penalty takes a Cholesky factor: on all "
          "threads, up to about ten of them take less time than one eigendecomposition.\n\n"
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
          "float32 has.\n\n"
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
          "kernel values");
  declare_ridge(declaration,
                "weight of |f|^2 against the squared errors, which scikit-learn calls alpha: the "
                "larger, the smoother the fit");
  return with_repair(declaration).example(R"(
        points: {is: source/friedman, train: 200, test: 200}
        x:      {is: normalizer/zscore, from: points}
        fit:    {is: solver/kernel_ridge, kernel: {is: similarity/rbf, gamma: 0.05},
                 penalties: [0.001, 0.01, 0.1, 1, 10], from: x}
        test:   {is: evaluator/regression, from: fit})");
}

void KernelRidge::train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                    Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  const Trained made = learn(training, {}, report, context);
  common::write_left_out(made.fit.left_out, {made.used, training.weights, training.target_names},
                         training.targets, training.rows, *this, left_out, context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

}  // namespace

ComponentEntry declare_kernel_ridge() { return KernelRidge::declare().entry(); }

}  // namespace semblance::kernel
