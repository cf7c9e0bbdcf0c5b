// SPDX-License-Identifier: MIT
#include <string>

#include "linear_regression.hpp"
#include "semblance/declaration.hpp"
#include "semblance/regressor.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

constexpr const char* squared_loss = "squared_epsilon_insensitive";

constexpr const char* absolute_loss = "epsilon_insensitive";

constexpr const char* quantile_loss = "quantile";

/// `solver/linear_svr`: linear support vector regression.
class LinearSvr final : public Regressor, public LinearRegression, public Exportable {
 public:
  static Declaration<LinearSvr> declare() {
    Declaration<LinearSvr> declaration("solver/linear_svr", "Linear support vector regression");
    declaration
        .documentation(
            "Predicts each target number by a linear function. Minimizes 1/2 |w|^2 + C sum l(t - "
            "w.x), where the loss l of an error r is max(0, |r| - epsilon)^2 (LIBLINEAR's -s 11 "
            "and 12), max(0, |r| - epsilon) (-s 13), or, for quantiles, q r where r > 0 and (q - "
            "1) r elsewhere. Several target numbers are independent problems that share every read "
            "of the rows.\n\n"
            "With 'center' the mean of each target number (or its quantile, with that loss) and "
            "the means of the columns, all by weight, are subtracted before training. The "
            "regularized constant `bias` then only has to make up the difference, so targets of "
            "5e5 +- 10 and columns of 5e5 +- 10 are as good as those of 0 +- 10. 'center: false' "
            "gives LIBLINEAR's objective with -B bias, which pulls all estimates towards 0.\n\n"
            "C and epsilon are in the unit of the targets: errors up to epsilon cost nothing, and "
            "with the absolute losses 1000 times as large targets need a C 1000 times as large for "
            "the same fit. The squared loss has no such dependence.\n\n"
            "The squared loss is minimized by the Newton method of solver/linear_svm. For the "
            "absolute losses and quantiles the method of multipliers makes a sequence of such "
            "smooth problems. With --mpi sparse rows are trained by the first process. Columns of "
            "any scale are solved, but they share one regularizer: normalize them first "
            "(normalizer/zscore).\n\n"
            "It stops when a lower bound from a feasible dual point is within `tolerance` of the "
            "objective, for every target number; otherwise the certificate and a message say why "
            "it ended and how far the bound is. On a stop request it keeps its best model. Rows "
            "are float32, sums double; the result does not depend on the number of threads.")
        .reference(
            "Ho and Lin: Large-scale Linear Support Vector Regression, JMLR 13, 2012, eqs. "
            "(1)-(4); Koenker and Bassett: Regression Quantiles, Econometrica 46, 1978; Yan and "
            "Li: An efficient augmented Lagrangian method for support vector machine, Optim. "
            "Methods Softw. 35, 2020; Chapelle 2007; Keerthi and DeCoste 2005")
        .complexity(
            "a sweep: 4 rows x columns x target numbers operations. Newton steps as in "
            "solver/linear_svm; for the absolute losses and quantiles a few times as many, and "
            "another 32 rows x target numbers bytes")
        .parameter("C", &LinearSvr::cost_,
                   "weight of the losses against the regularizer: the larger, the closer the fit "
                   "to the training rows",
                   above(0))
        .parameter("loss", &LinearSvr::loss_,
                   "squared_epsilon_insensitive; epsilon_insensitive: less sensitive to outliers; "
                   "quantile: the estimate exceeds a share `quantile` of the targets",
                   choices({squared_loss, absolute_loss, quantile_loss}))
        .parameter("epsilon", &LinearSvr::epsilon_,
                   "errors up to this size are no loss, in the unit of the targets", at_least(0))
        .parameter("quantile", &LinearSvr::quantile_, "the quantile to estimate, with its loss",
                   above(0), below(1))
        .gone({.written = "solver/liblinear_svr",
               .since = "1.0",
               .advice = "solver/linear_svr reaches the same objective"})
        .example(R"(
        table: {is: source/friedman, train: 100, test: 100}
        x:     {is: normalizer/zscore, from: table}
        svr:   {is: solver/linear_svr, C: 1, from: x}
        test:  {is: evaluator/regression, from: svr})");
    return with_regression(declaration);
  }

  void check_parameters() const override {
    const bool quantile = loss_ == quantile_loss;
    if (quantile && epsilon_ > 0)
      throw Error(
          "'epsilon' belongs to the epsilon-insensitive losses; omit it with 'loss: quantile'");
    if (!quantile && quantile_ != 0.5)
      throw Error("'quantile' belongs to 'loss: quantile', but the loss is '" + loss_ +
                  "'; omit it, or choose that loss");
  }

  /// Sparse rows are on one rank.
  bool distributes() const override { return !sparse_; }

  Layout bind(const Layout& input) override {
    bind_samples(input);
    return Layout::vector(model_.classes());
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    Loss loss{epsilon_};
    if (loss_ == absolute_loss) loss.slopes = {1, 1};
    if (loss_ == quantile_loss) loss.quantiles = {quantile_};
    learn(training, loss, report, context);
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    common::check_estimates(out, model_.classes());
    model_.scores(in, out);
  }

  void save(StateWriter& state) const override { model_.save(state); }
  void load(const StateReader& state, Context&) override { load_model(state); }
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  double epsilon_ = 0;
  std::string loss_ = squared_loss;
  double quantile_ = 0.5;
};

}  // namespace

ComponentEntry declare_linear_svr() { return LinearSvr::declare().entry(); }

}  // namespace semblance::linear
