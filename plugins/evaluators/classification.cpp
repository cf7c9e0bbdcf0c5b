// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "probabilities.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/label_evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {

namespace {

/// Figures of a confusion matrix.
class Agreement {
 public:
  /// `counts` is classes x classes (rows: true class, columns: predicted class), all integers.
  Agreement(std::span<const double> counts, std::size_t classes, const Context& context);

  /// The number of samples of a class, of samples assigned to it, and of those correctly assigned.
  double support(std::size_t c) const { return support_[c]; }
  double predicted(std::size_t c) const { return predicted_[c]; }
  double hits(std::size_t c) const { return hits_[c]; }

  /// 0 if there is nothing to divide.
  double precision(std::size_t c) const;
  double recall(std::size_t c) const;

  /// The harmonic mean of precision and recall; 0 where both are.
  double f1(std::size_t c) const;

  /// The mean recall of the classes that have rows.
  double balanced_accuracy() const;

  /// The mean F1 of the classes that have rows or are predicted.
  double macro_f1() const;

  /// The mean F1 of the classes, each weighted by its rows.
  double weighted_f1() const;

  /// Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, 2004,
  /// eq. (8). 0 where it is undefined.
  double matthews_correlation() const;

  /// Whether all samples belong, or are assigned, to one class: then the correlation is undefined.
  bool correlation_undefined() const;

 private:
  std::vector<double> support_, predicted_, hits_;
  double rows_ = 0;
};

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Agreement::Agreement(std::span<const double> counts, std::size_t classes, const Context& context)
    : support_(classes), predicted_(classes), hits_(classes) {
  for (std::size_t truth = 0; truth < classes; ++truth) {
    context.check_stop();
    for (std::size_t c = 0; c < classes; ++c) {
      support_[truth] += counts[truth * classes + c];
      predicted_[c] += counts[truth * classes + c];
    }
    hits_[truth] = counts[truth * classes + truth];
    rows_ += support_[truth];
  }
}

double Agreement::precision(std::size_t c) const { return ratio(hits_[c], predicted_[c]); }

double Agreement::recall(std::size_t c) const { return ratio(hits_[c], support_[c]); }

double Agreement::f1(std::size_t c) const {
  return ratio(2 * precision(c) * recall(c), precision(c) + recall(c));
}

double Agreement::balanced_accuracy() const {
  double recalls = 0, present = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) {
    recalls += recall(c);
    present += support_[c] > 0;
  }
  return ratio(recalls, present);
}

double Agreement::macro_f1() const {
  double sum = 0, counted = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) {
    sum += f1(c);
    counted += support_[c] + predicted_[c] > 0;
  }
  return ratio(sum, counted);
}

double Agreement::weighted_f1() const {
  double sum = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) sum += support_[c] * f1(c);
  return ratio(sum, rows_);
}

bool Agreement::correlation_undefined() const {
  const double all = rows_ * rows_;
  return product(support_, support_) == all || product(predicted_, predicted_) == all;
}

double Agreement::matthews_correlation() const {
  if (correlation_undefined()) return 0;
  const double all = rows_ * rows_;
  const double hits = std::accumulate(hits_.begin(), hits_.end(), 0.0);
  const double spread_of_truth = all - product(support_, support_);
  const double spread_of_predicted = all - product(predicted_, predicted_);
  return (hits * rows_ - product(support_, predicted_)) /
         std::sqrt(spread_of_truth * spread_of_predicted);
}

/// `evaluator/classification`: how often the class with the largest score is the right one.
class Classification final : public Evaluator {
 public:
  static Declaration<Classification> declare();
  void evaluate(const Results& test, Report& report, Context& context) const override;

 private:
  std::vector<std::int64_t> top_k_ = {5};
};

/// Classes that come before `own` in the order of falling scores; ties in the order of the classes.
std::size_t rank(std::span<const float> scores, std::size_t own) {
  std::size_t before = 0;
  for (std::size_t c = 0; c < scores.size(); ++c)
    before += scores[c] > scores[own] || (scores[c] == scores[own] && c < own);
  return before;
}

/// Counts, rows the true class, columns the predicted one.
struct Confusion {
  explicit Confusion(std::size_t n) : classes(n), counts(n * n) {}
  double& at(std::size_t truth, std::size_t predicted) {
    return counts[truth * classes + predicted];
  }
  std::size_t classes;
  std::vector<double> counts;
};

void report_classes(const Confusion& confusion, const Agreement& agreement,
                    std::span<const std::string> classes, Report& report) {
  // A table of millions of numbers would be slow to write and too large to read.
  constexpr std::size_t most_classes = 1000;
  const std::vector<std::string> names(classes.begin(), classes.end());
  const std::size_t n = classes.size();
  Table table{"classes", "class", "", names, {"precision", "recall", "f1", "support"}, {}};
  for (std::size_t c = 0; c < n; ++c)
    for (const double value :
         {agreement.precision(c), agreement.recall(c), agreement.f1(c), agreement.support(c)})
      table.values.push_back(value);
  report.number("mean_class_accuracy", agreement.balanced_accuracy());
  report.table(table);
  if (n > most_classes) return;
  report.table(
      {"confusion_matrix", "true class", "predicted class", names, names, confusion.counts});
}

void report_agreement(const Agreement& agreement, Report& report, Context& context) {
  report.number("balanced_accuracy", agreement.balanced_accuracy());
  report.number("macro_f1", agreement.macro_f1());
  report.number("weighted_f1", agreement.weighted_f1());
  report.number("matthews_correlation", agreement.matthews_correlation());
  if (agreement.correlation_undefined())
    context.log(LogLevel::warning,
                "matthews_correlation is undefined and reported as 0, since all test rows belong "
                "to one class or are assigned to one");
}

void report_probabilities(const Results& test, Report& report) {
  check_probabilities(test);
  double losses = 0, squares = 0;
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const auto label = static_cast<std::size_t>(test.labels[i]);
    losses += log_loss(test.outputs.row_span(i), label);
    squares += brier_score(test.outputs.row_span(i), label);
  }
  const auto rows = static_cast<double>(test.outputs.rows);
  report.number("log_loss", losses / rows);
  report.number("brier_score", squares / rows);
}

Declaration<Classification> Classification::declare() {
  return Declaration<Classification>("evaluator/classification",
                                     "Error rate, confusion matrix and per-class figures")
      .documentation(
          "The predicted class is the one with the largest score; on ties, the one that comes "
          "first. Reports error_rate, accuracy, errors, rows, mean_class_accuracy (the mean recall "
          "of the classes that have test rows), top_K_accuracy (the true class is among the K "
          "largest scores), precision, recall, F1 and support of each class, and the confusion "
          "matrix (rows: true class, columns: predicted class; omitted for more than 1,000 "
          "classes). A precision without predictions, or a recall without rows, is reported as 0. "
          "Rows without a label are refused.\n"
          "\n"
          "Figures for classes of different sizes, as scikit-learn defines them: balanced_accuracy "
          "(mean_class_accuracy under its other name), macro_f1 (the mean F1 of the classes that "
          "have test rows or are predicted), weighted_f1 (the mean F1, each class weighted by its "
          "rows) and matthews_correlation (Gorodkin's R_K; for two classes the Matthews "
          "correlation), which is in [-1, 1]. The F1 of a class that is never predicted, or that "
          "has no rows, is 0. Where all rows belong to one class, or are assigned to one, there is "
          "no correlation: it is reported as 0, with a warning.\n"
          "\n"
          "Where the scores are probabilities, it also reports log_loss (the mean of -ln p of the "
          "true class; p is clipped to at least 2^-52) and brier_score (the mean over the rows of "
          "the squared differences between the probabilities of all classes and 1 for the true "
          "one, 0 for the others; in [0, 2], for two classes twice what scikit-learn's "
          "brier_score_loss says). For other scores neither is reported.")
      .reference(
          "Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, "
          "2004, eq. (8); Brier, Verification of forecasts expressed in terms of probability, 1950")
      .complexity("rows x classes")
      .parameter("top_k", &Classification::top_k_,
                 "the K of top_K_accuracy; values not below the number of classes are ignored",
                 at_least(1))
      .reports({"accuracy", "share of correctly classified rows", FigureUnit::share, Better::higher,
                true})
      .reports(
          {"error_rate", "share of misclassified rows", FigureUnit::share, Better::lower, true})
      .reports({"errors", "number of misclassified rows", FigureUnit::count, Better::lower})
      .reports({"rows", "number of evaluated rows", FigureUnit::count})
      .reports({"top_*_accuracy", "share of rows whose class is among the K largest scores",
                FigureUnit::share, Better::higher})
      .reports({"mean_class_accuracy", "mean recall of the classes that have rows",
                FigureUnit::share, Better::higher})
      .reports({"balanced_accuracy", "mean recall of the classes that have rows", FigureUnit::share,
                Better::higher})
      .reports({"macro_f1", "mean F1 of the classes that have rows or are predicted",
                FigureUnit::share, Better::higher})
      .reports({"weighted_f1", "mean F1 of the classes, weighted by their rows", FigureUnit::share,
                Better::higher})
      .reports({"matthews_correlation", "correlation of true and predicted classes, in [-1, 1]",
                FigureUnit::plain, Better::higher})
      .reports({"log_loss", "mean of -ln p of the true class, where scores are probabilities",
                FigureUnit::plain, Better::lower})
      .reports({"brier_score", "mean squared error of the probabilities, over all classes",
                FigureUnit::plain, Better::lower})
      .reports({"classes.precision", "share of the rows assigned to the class that belong to it",
                FigureUnit::share, Better::higher})
      .reports({"classes.recall", "share of the class's rows that are assigned to it",
                FigureUnit::share, Better::higher})
      .reports({"classes.f1", "harmonic mean of precision and recall", FigureUnit::share,
                Better::higher})
      .reports({"classes.support", "number of test rows of the class", FigureUnit::count})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, top_k: [2, 3], from: svm})");
}

void Classification::evaluate(const Results& test, Report& report, Context& context) const {
  check_labelled_scores(test);
  context.check_stop();
  const std::size_t rows = test.outputs.rows, classes = test.classes.size();
  Confusion confusion(classes);
  std::vector<std::int64_t> ranks(classes);
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    context.check_stop();
    const auto scores = test.outputs.row_span(i);
    const auto truth = static_cast<std::size_t>(test.labels[i]);
    const auto predicted = static_cast<std::size_t>(predicted_class(scores));
    errors += predicted != truth;
    ++confusion.at(truth, predicted);
    ++ranks[rank(scores, truth)];
  }
  const double all = static_cast<double>(rows);
  report.number("error_rate", static_cast<double>(errors) / all);
  report.number("accuracy", static_cast<double>(static_cast<std::int64_t>(rows) - errors) / all);
  report.integer("errors", errors);
  report.integer("rows", static_cast<std::int64_t>(rows));
  for (const std::int64_t k : top_k_) {
    if (static_cast<std::size_t>(k) >= classes) continue;
    std::int64_t hits = 0;
    for (std::int64_t r = 0; r < k; ++r) hits += ranks[static_cast<std::size_t>(r)];
    report.number("top_" + std::to_string(k) + "_accuracy", static_cast<double>(hits) / all);
  }
  const Agreement agreement(confusion.counts, classes, context);
  report_classes(confusion, agreement, test.classes, report);
  report_agreement(agreement, report, context);
  if (test.probabilities) report_probabilities(test, report);
}

}  // namespace

ComponentEntry declare_classification() { return Classification::declare().entry(); }

}  // namespace semblance::evaluators
