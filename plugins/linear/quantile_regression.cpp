// SPDX-License-Identifier: MIT
#include <algorithm>

#include "interval_formula.hpp"
#include "linear_regression.hpp"
#include "semblance/declaration.hpp"
#include "semblance/regressor.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

/// `solver/quantile_regression`: a linear function for each end of an interval, and the median.
class QuantileRegression final : public IntervalRegressor,
                                 public LinearRegression,
                                 public Exportable {
 public:
  static Declaration<QuantileRegression> declare() {
    Declaration<QuantileRegression> declaration(
        "solver/quantile_regression", "Linear quantile regression: the median and an interval");
    declaration
        .documentation(
            "Estimates three quantiles of each target number by linear functions: the median, "
            "which is the estimate, and the two ends of an interval that omits a share of (1 - "
            "`coverage`) / 2 on each side. Intervals are as wide as the spread of the numbers at "
            "each place. Each function minimizes 1/2 |w|^2 + C sum l(t - w.x), where the loss of "
            "an error r is q r where r > 0 and (q - 1) r elsewhere; all share every read of the "
            "rows.\n\n"
            "On new rows such intervals usually contain the number less often than `coverage` "
            "says, because they are fitted to the training rows: let "
            "calibrator/conformal_quantiles follow. Where an end is on the wrong side of the "
            "median it is moved to it.\n\n"
            "For functions that are not linear, give it a map: similarities to bases "
            "(similarity/rbf and a basis), or normalizer/nystrom. C is in the unit of the targets: "
            "1000 times as large targets need a C 1000 times as large for the same fit. Columns "
            "share one regularizer: normalize them first (normalizer/zscore). The method, "
            "centring, certificates and sparse rows are those of solver/linear_svr.")
        .reference(
            "Koenker and Bassett: Regression Quantiles, Econometrica 46, 1978; Takeuchi, Le, Sears "
            "and Smola: Nonparametric Quantile Estimation, JMLR 7, 2006; Chernozhukov, "
            "Fernandez-Val and Galichon: Quantile and Probability Curves Without Crossing, "
            "Econometrica 78, 2010 (moving ends never makes them worse)")
        .complexity(
            "a sweep: 12 rows x columns x target numbers operations; some times as many as "
            "solver/linear_svm; another 96 rows x target numbers bytes")
        .parameter("C", &QuantileRegression::cost_,
                   "weight of the losses against the regularizer: the larger, the closer the fit "
                   "to the training rows",
                   above(0))
        .parameter("coverage", &QuantileRegression::coverage_,
                   "the share of training rows that the intervals are to contain", above(0),
                   below(1))
        .example(R"(
        table: {is: source/friedman, train: 300, test: 300}
        x:     {is: normalizer/zscore, from: table}
        range: {is: solver/quantile_regression, coverage: 0.8, from: x}
        test:  {is: evaluator/coverage, from: range})");
    return with_regression(declaration);
  }

  /// Sparse rows are on one rank.
  bool distributes() const override { return !sparse_; }

  Layout bind(const Layout& input) override {
    bind_samples(input);
    return Layout::vector(model_.classes());
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    const double outside = (1 - coverage_) / 2;
    learn(training, {0, {outside, 0.5, 1 - outside}}, report, context);
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    common::check_estimates(out, model_.classes());
    model_.scores(in, out);
    for (std::size_t i = 0; i < out.rows; ++i)
      for (float* ends = out.row(i); ends < out.row(i) + out.cols; ends += 3) {
        ends[0] = std::min(ends[0], ends[1]);
        ends[2] = std::max(ends[2], ends[1]);
      }
  }

  void save(StateWriter& state) const override { model_.save(state); }

  void load(const StateReader& state, Context&) override {
    load_model(state);
    if (model_.classes() % 3 != 0)
      throw Error("the state has " + std::to_string(model_.classes()) +
                  " functions, which are not three for each target number; train the model again");
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto [lower, median, upper] = common::interval_parts(formula, model_.write(formula, in));
    return common::interval_row(
        formula, {formula.minimum(lower, median), median, formula.maximum(upper, median)});
  }

 private:
  double coverage_ = 0.9;
};

}  // namespace

ComponentEntry declare_quantile_regression() { return QuantileRegression::declare().entry(); }

}  // namespace semblance::linear
