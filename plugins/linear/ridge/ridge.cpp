// SPDX-License-Identifier: MIT
#include <chrono>
#include <utility>

#include "linear_model.hpp"
#include "ridge/ridge_training.hpp"
#include "semblance/declaration.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/regressor.hpp"
#include "training_checks.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::linear {
namespace {

/// `solver/ridge`: linear least squares with a squared norm as penalty.
class Ridge final : public Regressor,
                    public LeftOutScores,
                    public Exportable,
                    public common::PenaltyParameters {
 public:
  static Declaration<Ridge> declare() {
    Declaration<Ridge> declaration("solver/ridge",
                                   "Linear ridge regression with exact leave-one-out errors");
    declaration
        .documentation(
            "Minimizes sum_i w_i (y_i - <v, x_i> - b)^2 + penalty |v|^2 for each target; the "
            "intercept b is not penalized. The penalty is scikit-learn's alpha, and the minimum is "
            "that of its Ridge. All targets share one factor.\n"
            "\n"
            "The error of each training sample under the fit to all other samples follows from its "
            "residual and its leverage (PRESS): `leave_one_out_rmse` is exact, not an estimate "
            "from folds. With `penalties` the one with the smallest mean squared leave-one-out "
            "error is chosen; for several targets, with the smallest mean of these errors over the "
            "variances of the targets. Ties, also those but for rounding, go to the larger "
            "penalty. The errors are those of samples that are independent given the columns: "
            "where rows belong together (patients, repeated measurements), choose by `select` with "
            "groups.\n"
            "\n"
            "Columns and targets may be as they come, but the penalty is the same for all columns, "
            "so that those of a small scale are penalized more: normalizer/zscore before it makes "
            "it equal. Everything is computed about the means, in double: by Cholesky factors of "
            "the products of columns or, where samples are few, of the products of samples. If a "
            "factor has lost digits, as with nearly dependent columns and a small penalty, an "
            "orthogonal decomposition of the samples replaces it. Then the fit is refined until "
            "its gradient, computed from the samples, no longer falls. `violation` is the largest "
            "entry of this gradient divided by the norms of its column and its target; the "
            "certificate says converged if it is below 1e-9. `gradient_norm` is at least that "
            "share of the initial one that is not rounding: products of columns and targets below "
            "1e-8 of their norms count as 1e-8.\n"
            "\n"
            "A sample of weight 0 is ignored. The weights count as in `leave_one_out_rmse`, a "
            "weighted mean in which each sample is left out as a whole, whatever its weight. Where "
            "the source names its columns, the report has the weight of each of up to 200 columns. "
            "The result does not depend on the number of threads.")
        .reference(
            "Hoerl and Kennard 1970, eq. (2.1); Allen 1974 (PRESS); Hastie, Tibshirani, Friedman: "
            "The Elements of Statistical Learning, sections 3.4.1 and 7.10.1")
        .complexity(
            "n rows, d columns: 2 n d^2 + d^3 / 3 operations per penalty and 16 d^2 bytes; n of at "
            "most about d rows: n^2 d once, 2/3 n^3 operations per penalty and 16 n^2 bytes. "
            "Nearly dependent columns: another 2 n d^2 operations once, 10/3 d^3 per penalty, on "
            "one thread");
    declare_penalty(
        declaration,
        {"weight of |v|^2 against the squared errors, which scikit-learn calls alpha: the larger, "
         "the smaller the weights; 0: plain least squares, where no columns depend on each other",
         at_least(0),
         "learn the intercept b; false: b is 0, and columns and targets are not centred"});
    return declaration.takes_weights().reports(ridge_figures()).example(R"(
        points: {is: source/friedman, train: 200, test: 200}
        x:      {is: normalizer/zscore, from: points}
        fit:    {is: solver/ridge, penalties: [0.01, 0.1, 1, 10, 100], from: x}
        test:   {is: evaluator/regression, from: fit})");
  }

  void check_parameters() const override { common::check_penalties(penalties_); }

  Layout bind(const Layout& input) override {
    if (input.size() == 0) throw Error("samples without values cannot be used for regression");
    return Layout::vector(model_.classes());
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }

  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override {
    const auto begin = std::chrono::steady_clock::now();
    common::check_targets(training);
    common::check_finite(training.rows, context);
    const RidgeData data(training.rows, training.targets, training.target_names.size(),
                         training.weights, intercept_, context);
    const auto samples = left_out_samples(data, training.weights, training.target_names);
    TrainedRidge trained =
        train_ridge(data, candidates(), samples, common::relative_error(samples, training.targets),
                    data.outputs(), training.columns, {}, report, context);
    model_ = std::move(trained.model);
    common::write_left_out(trained.left_out, samples, training.targets, training.rows, *this,
                           left_out, context);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    report.number("train_seconds", seconds.count());
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    context.check_stop();
    common::check_estimates(out, model_.classes());
    model_.scores(in, out);
  }

  void save(StateWriter& state) const override {
    if (model_.classes() == 0) throw Error("the solver has not been trained");
    model_.save(state);
  }

  void load(const StateReader& state, Context&) override { model_ = LinearModel::load(state); }
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  LinearModel model_;
};

}  // namespace

ComponentEntry declare_ridge() { return Ridge::declare().entry(); }

}  // namespace semblance::linear
