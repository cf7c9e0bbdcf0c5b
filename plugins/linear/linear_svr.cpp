// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "independent_problems.hpp"
#include "linear_model.hpp"
#include "linear_report.hpp"
#include "newton/newton_memory.hpp"
#include "problem/regression_task.hpp"
#include "semblance/declaration.hpp"
#include "semblance/regressor.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

constexpr const char* squared_loss = "squared_epsilon_insensitive";
constexpr const char* absolute_loss = "epsilon_insensitive";
constexpr const char* quantile_loss = "quantile";

/// `solver/linear_svr`: linear support vector regression.
class LinearSvr final : public Regressor, public Exportable {
 public:
  static Declaration<LinearSvr> declare();

  void check_parameters() const override;
  /// Sparse rows are on one rank.
  bool distributes() const override { return !sparse_; }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override { model_.save(state); }
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  LinearTask task_of(const TrainingSet& training, std::vector<double> weights,
                     ScaledTargets& targets) const;
  TubeLosses::Caps slopes() const;

  double cost_ = 1;
  double epsilon_ = 0;
  std::string loss_ = squared_loss;
  double quantile_ = 0.5;
  double bias_ = 1;
  bool center_ = true;
  double tolerance_ = default_tolerance;
  std::int64_t max_iterations_ = default_iterations;

  bool sparse_ = false;  // whether the samples are sparse
  LinearModel model_;
};

Declaration<LinearSvr> LinearSvr::declare() {
  return Declaration<LinearSvr>("solver/linear_svr", "Linear support vector regression")
      .documentation(
          "Predicts each target number by a linear function. Minimizes 1/2 |w|^2 + C sum l(t - "
          "w.x), where the loss l of an error r is max(0, |r| - epsilon)^2 (LIBLINEAR's -s 11 and "
          "12), max(0, |r| - epsilon) (-s 13), or, for quantiles, q r where r > 0 and (q - 1) r "
          "elsewhere. Several target numbers are independent problems that share every read of the "
          "rows.\n\n"
          "With 'center' the mean of each target number is subtracted before training and added to "
          "the estimates. The regularized constant `bias` then only has to make up the difference, "
          "so targets of 5e5 +- 10 are as good as those of 0 +- 10. 'center: false' gives "
          "LIBLINEAR's objective with -B bias, which pulls all estimates towards 0.\n\n"
          "C and epsilon are in the unit of the targets: errors up to epsilon cost nothing, and "
          "with the absolute losses 1000 times as large targets need a C 1000 times as large for "
          "the same fit. The squared loss has no such dependence.\n\n"
          "The squared loss is minimized by the Newton method of solver/linear_svm. For the "
          "absolute losses and quantiles the method of multipliers makes a sequence of such smooth "
          "problems. Sparse rows of many columns are first solved in the dual, by coordinate "
          "descent, as far as that gets on quickly; over ranks they learn on the first. Columns of "
          "any scale are solved, but they share one regularizer: normalize them first "
          "(normalizer/zscore).\n\n"
          "It stops when a lower bound from a feasible dual point is within `tolerance` of the "
          "objective, for every target number; otherwise the certificate and a message say why it "
          "ended and how far the bound is. On a stop request it keeps its best model. Rows are "
          "float32, sums double; the result does not depend on the number of threads.")
      .reference(
          "Ho and Lin: Large-scale Linear Support Vector Regression, JMLR 13, 2012, eqs. (1)-(4); "
          "Koenker and Bassett: Regression Quantiles, Econometrica 46, 1978; Yan and Li: An "
          "efficient augmented Lagrangian method for support vector machine, Optim. Methods Softw. "
          "35, 2020; Chapelle 2007; Keerthi and DeCoste 2005")
      .complexity(
          "a sweep: 4 rows x columns x target numbers operations. Newton steps as in "
          "solver/linear_svm; for the absolute losses and quantiles a few times as many, and "
          "another 32 rows x target numbers bytes")
      .parameter("C", &LinearSvr::cost_, "weight of the losses against the regularizer", above(0))
      .parameter("loss", &LinearSvr::loss_,
                 "squared_epsilon_insensitive; epsilon_insensitive: less sensitive to outliers; "
                 "quantile: the estimate exceeds a share `quantile` of the targets",
                 choices({squared_loss, absolute_loss, quantile_loss}))
      .parameter("epsilon", &LinearSvr::epsilon_,
                 "errors up to this size are no loss, in the unit of the targets", at_least(0))
      .parameter("quantile", &LinearSvr::quantile_, "the quantile to estimate, with its loss",
                 above(0), below(1))
      .parameter("bias", &LinearSvr::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0))
      .parameter("center", &LinearSvr::center_,
                 "subtract the mean of each target number before training; never with 'bias: 0'")
      .parameter("tolerance", &LinearSvr::tolerance_,
                 "stop when (objective - lower bound) / objective is below this", above(0),
                 below(1))
      .parameter("max_iterations", &LinearSvr::max_iterations_,
                 "maximum number of Newton iterations", at_least(1))
      .distributed()
      .uses_device()
      .takes_weights()
      .accepts_sparse()
      .reports(machine_figures())
      .example(R"(
        table: {is: source/friedman, train: 100, test: 100}
        x:     {is: normalizer/zscore, from: table}
        svr:   {is: solver/linear_svr, C: 1, from: x}
        test:  {is: evaluator/regression, from: svr})");
}

void LinearSvr::check_parameters() const {
  const bool quantile = loss_ == quantile_loss;
  if (quantile && epsilon_ > 0)
    throw Error(
        "'epsilon' belongs to the epsilon-insensitive losses; omit it with 'loss: "
        "quantile'");
  if (!quantile && quantile_ != 0.5)
    throw Error("'quantile' belongs to 'loss: quantile', but the loss is '" + loss_ +
                "'; omit it, or choose that loss");
}

Layout LinearSvr::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot predict numbers");
  sparse_ = input.kind == LayoutKind::sparse;
  return Layout::vector(model_.classes());
}

TubeLosses::Caps LinearSvr::slopes() const {
  if (loss_ == squared_loss) return {};
  if (loss_ == absolute_loss) return {1, 1};
  return {quantile_, 1 - quantile_};
}

LinearTask LinearSvr::task_of(const TrainingSet& training, std::vector<double> weights,
                              ScaledTargets& targets) const {
  targets = scaled_targets(training, weights, center_ && bias_ != 0);
  Regression regression{std::move(targets.values), training.target_names.size(),
                        epsilon_ / targets.unit, slopes()};
  const double cost = regression.squared() ? cost_ : cost_ / targets.unit;
  return {training,
          {cost},
          std::move(weights),
          bias_,
          tolerance_,
          static_cast<std::size_t>(max_iterations_),
          std::move(regression)};
}

void LinearSvr::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  ScaledTargets targets;
  const LinearTask task = task_of(training, regression_weights(training), targets);
  common::check_finite(training.rows, context);
  Solution solution =
      std::move((sparse_ ? train_on_sparse_rows(task, context)
                         : train_independent_problems(task, Regularizer::l2,
                                                      PreconditionerKind::automatic, context))
                    .front());
  convert_from(targets.unit, solution);
  model_ = LinearModel(solution.weights, training.rows.cols(), task.regression.problems, bias_);
  model_.add(targets.centres);
  if (sparse_) model_.take_sparse_rows();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
  report_solution(solution, task, report);
}

void LinearSvr::apply(MatrixView in, MutableMatrixView out, Context&) const {
  common::check_estimates(out, model_.classes());
  model_.scores(in, out);
}

void LinearSvr::load(const StateReader& state, Context&) {
  model_ = LinearModel::load(state);
  if (sparse_) model_.take_sparse_rows();
}

}  // namespace

ComponentEntry declare_linear_svr() { return LinearSvr::declare().entry(); }

}  // namespace semblance::linear
