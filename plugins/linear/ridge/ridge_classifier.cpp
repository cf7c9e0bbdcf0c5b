// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "linear_model.hpp"
#include "ridge/ridge_training.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/solver.hpp"
#include "training_checks.hpp"
#include "tuning/cost_choice.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::linear {
namespace {

/// `solver/ridge_classifier`: least squares on targets of 1 and -1, one class against the rest.
class RidgeClassifier final : public Solver,
                              public ClassWeights,
                              public LeftOutScores,
                              public Exportable {
 public:
  static Declaration<RidgeClassifier> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }
  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  std::vector<double> candidates(const RidgeData& data) const;
  LeftOutErrors left_out_errors(const TrainingSet& training, std::span<const double> targets,
                                std::size_t problems, Context& context) const;

  std::string penalty_ = "automatic";
  std::vector<double> penalties_;
  std::string choose_by_ = "squared_error";
  bool intercept_ = true;

  LinearModel model_;
};

Declaration<RidgeClassifier> RidgeClassifier::declare() {
  Declaration<RidgeClassifier> declaration(
      "solver/ridge_classifier",
      "Ridge regression on the classes, which chooses its penalty by exact leave-one-out errors");
  declaration
      .documentation(
          "Minimizes sum_i w_i (y_i - <v, x_i> - b)^2 + penalty |v|^2 for each class, where y_i is "
          "1 for samples of the class and -1 for all others; the intercept b is not penalized. "
          "With two classes a single problem is solved and the scores are (-f, f). The minimum is "
          "that of scikit-learn's RidgeClassifier with alpha = penalty. All classes share one "
          "factor of the products of columns or, where samples are few, of the products of "
          "samples; solver/ridge says how.\n"
          "\n"
          "The scores that each training sample gets from the machine trained on all others follow "
          "from its residual and its leverage (PRESS): they are exact, and cost no further "
          "training. With several candidates, the penalty with the smallest mean squared error of "
          "these scores, over samples and classes, is chosen, as by scikit-learn's "
          "RidgeClassifierCV; with `choose_by: errors` that with the fewest samples of which "
          "another class has the largest score. Ties, also those but for rounding, go to the "
          "larger penalty. "
          "`leave_one_out_error_rate` is the share of such samples: an estimate of the error on "
          "new samples, slightly optimistic where it has chosen the penalty. It is one of samples "
          "that are independent given the columns: where rows belong together (patients, repeated "
          "measurements), or a component before has learned from the classes, choose by `select`, "
          "with groups.\n"
          "\n"
          "`penalty: automatic` tries 17 candidates, half a decade apart, from 1e-6 to 100 times "
          "the mean squared distance of the samples from their mean, so that the choice does not "
          "depend on the unit of the columns; or those listed in `penalties`. A warning says if "
          "the best is the first or the last and the next one is worse by more than 1 %.\n"
          "\n"
          "A class's weight multiplies the weights of its samples, also in both errors, which are "
          "then weighted (`weighted_errors` says so); a sample of weight 0 is ignored. With "
          "`balanced` the machine without a sample has the weights of the other samples, which "
          "takes as many fits per penalty as there are classes with different weights of samples; "
          "the errors are weighted by those of all. Where the source names its columns, the report "
          "has the weight "
          "of each of up to 200 columns. The result does not depend on the number of threads.")
      .reference(
          "Hoerl and Kennard 1970; Allen 1974 (PRESS); Rifkin, Yeo, Poggio 2003: Regularized "
          "least-squares classification; Dempster, Petitjean, Webb 2020 (on random kernels of "
          "series)")
      .complexity(
          "n rows, d columns: 2 n d^2 + d^3 / 3 operations per penalty and 16 d^2 bytes; n of at "
          "most about d rows: n^2 d once, and per class about 20 n d for the chosen penalty; 2/3 "
          "n^3 operations per penalty, and 16 n^2 bytes")
      .parameter("penalty", &RidgeClassifier::penalty_,
                 "weight of |v|^2 against the squared errors, which scikit-learn calls alpha: the "
                 "larger, the smaller the weights; automatic: chosen by leave-one-out errors",
                 choices({"automatic"}), at_least(0))
      .parameter("penalties", &RidgeClassifier::penalties_, "candidates for 'penalty: automatic'",
                 above(0))
      .parameter("choose_by", &RidgeClassifier::choose_by_,
                 "what the chosen penalty makes smallest over the samples left out: the mean "
                 "squared error of the scores, or the number of errors",
                 choices({"squared_error", "errors"}))
      .parameter("intercept", &RidgeClassifier::intercept_,
                 "learn the intercept b; false: b is 0, and columns and targets are not centred");
  return with_class_weights(declaration)
      .takes_weights()
      .reports(ridge_figures())
      .reports(common::penalty_figures())
      .reports({"leave_one_out_error_rate",
                "share of misclassified training samples, each classified without itself, by the "
                "weights of rows and classes where there are some",
                FigureUnit::share, Better::lower, true})
      .reports({"penalties.leave-one-out error rate",
                "share of misclassified training samples, each classified without itself",
                FigureUnit::share, Better::lower})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/zscore, from: hog}
        ridge:  {is: solver/ridge_classifier, from: x}
        test:   {is: evaluator/classification, from: ridge})");
}

void RidgeClassifier::check_parameters() const {
  check_class_weights();
  common::check_penalties(penalties_);
  if (!penalties_.empty() && penalty_ != "automatic")
    throw Error("'penalties' belongs to 'penalty: automatic'; omit one of the two");
}

Layout RidgeClassifier::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(model_.classes());
}

/// In units of the samples' weights, so that a weight is a number of copies here, too.
std::vector<double> RidgeClassifier::candidates(const RidgeData& data) const {
  if (const auto number = number_given(penalty_)) return {*number};
  if (!penalties_.empty()) return penalties_;
  double squares = 0;
  for (const double squared : data.squared_norms()) squares += squared;
  // Constant columns: any penalty gives the same.
  const double unit = squares > 0 ? squares / data.total_weight() : 1;
  std::vector<double> range;
  for (int half_decade = -12; half_decade <= 4; ++half_decade)
    range.push_back(unit * std::pow(10.0, half_decade / 2.0));
  return range;
}

/// Rows x problems: 1 for the class of a problem, -1 for all others. Of two classes, the second is
/// the only problem.
std::vector<double> class_targets(const TrainingSet& training, std::size_t problems) {
  std::vector<double> targets(training.labels.size() * problems, -1);
  for (std::size_t i = 0; i < training.labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(training.labels[i]);
    if (problems > 1) targets[i * problems + label] = 1;
    if (problems == 1 && label == 1) targets[i] = 1;
  }
  return targets;
}

/// The share of samples, by weight, that the machine trained without them classifies wrongly.
common::LeftOutFigure error_rate(std::span<const double> targets, bool chooses) {
  return {"leave-one-out error rate", "leave_one_out_error_rate",
          [targets](const common::LeftOutSamples& samples, std::span<const double> left_out,
                    std::span<const double> squares) {
            const std::size_t m = squares.size();
            double wrong = 0, total = 0;
            for (std::size_t i = 0; i < samples.rows.size(); ++i) {
              const double* y = targets.data() + samples.rows[i] * m;
              const auto score = [&](std::size_t k) { return y[k] - left_out[i * m + k]; };
              std::size_t best = 0;
              for (std::size_t k = 1; k < m; ++k)
                if (score(k) > score(best)) best = k;
              const bool right = m == 1 ? (score(0) > 0) == (y[0] > 0) : y[best] > 0;
              if (!right) wrong += samples.weight(i);
              total += samples.weight(i);
            }
            return wrong / total;
          },
          chooses};
}

/// With `balanced`, the weights without a sample depend on its class and on its own weight.
LeftOutErrors RidgeClassifier::left_out_errors(const TrainingSet& training,
                                               std::span<const double> targets,
                                               std::size_t problems, Context& context) const {
  if (!balances()) return {};
  std::map<std::pair<std::int32_t, double>, std::size_t> numbers;
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < training.labels.size(); ++i) {
    const double weight = training.weights.empty() ? 1 : training.weights[i];
    groups.push_back(
        numbers.try_emplace({training.labels[i], weight}, numbers.size()).first->second);
  }
  const auto weights_of = [this, &training](std::size_t row) {
    std::vector<char> trains(training.labels.size(), 1);
    trains[row] = 0;
    std::vector<double> weights = row_weights(training, trains);
    weights[row] = class_factors(training, trains)[static_cast<std::size_t>(training.labels[row])];
    if (!training.weights.empty()) weights[row] *= training.weights[row];
    return weights;
  };
  return [=, intercept = intercept_, &training, &context](std::span<const double> penalties) {
    return left_out_by_groups(training.rows, targets, problems, groups, weights_of, penalties,
                              intercept, context);
  };
}

/// Without its only sample, nothing is known of a class.
void warn_of_single_samples(const TrainingSet& training, std::span<const double> weights,
                            Context& context) {
  std::vector<std::size_t> counts(training.classes.size());
  for (std::size_t i = 0; i < training.labels.size(); ++i)
    if (weights.empty() || weights[i] > 0) ++counts[static_cast<std::size_t>(training.labels[i])];
  const auto single = std::ranges::count(counts, std::size_t{1});
  if (single > 0)
    context.log(LogLevel::warning,
                std::to_string(single) + " of " + std::to_string(counts.size()) + " classes " +
                    (single == 1 ? "has" : "have") +
                    " a single training sample, which is misclassified when left out: where there "
                    "are many such classes, set 'penalty' to a number");
}

void RidgeClassifier::train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                        Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  const std::vector<double> weights = row_weights(training);
  const std::size_t classes = training.classes.size(), problems = classes == 2 ? 1 : classes;
  const std::vector<double> targets = class_targets(training, problems);
  const RidgeData data(training.rows, targets, problems, weights, intercept_, context);
  const auto samples = left_out_samples(data, weights, training.classes.last(problems));
  const std::vector<double> penalties = candidates(data);
  if (penalties.size() > 1) warn_of_single_samples(training, weights, context);
  TrainedRidge trained = train_ridge(
      data, penalties, samples, error_rate(targets, choose_by_ == "errors"), classes,
      training.columns, left_out_errors(training, targets, problems, context), report, context);
  model_ = std::move(trained.model);
  common::write_left_out(trained.left_out, samples, targets, training.rows, *this, left_out,
                         context);
  if (!weights.empty()) common::report_weighted(report);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void RidgeClassifier::apply(MatrixView in, MutableMatrixView out, Context&) const {
  model_.scores(in, out);
}

void RidgeClassifier::save(StateWriter& state) const {
  if (model_.classes() == 0) throw Error("the solver has not been trained");
  model_.save(state);
}

void RidgeClassifier::load(const StateReader& state, Context&) {
  model_ = LinearModel::load(state);
}

}  // namespace

ComponentEntry declare_ridge_classifier() { return RidgeClassifier::declare().entry(); }

}  // namespace semblance::linear
