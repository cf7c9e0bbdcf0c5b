// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figures/probabilities.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/label_evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {

namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The number of samples of each class, of samples assigned to it, and of those correctly assigned,
/// and figures of them. Where there is nothing to divide they are 0.
struct Agreement {
  explicit Agreement(std::size_t classes) : support(classes), predicted(classes), hits(classes) {}

  void add(std::size_t truth, std::size_t assigned) {
    ++rows;
    ++support[truth];
    ++predicted[assigned];
    hits[truth] += truth == assigned;
  }
  double right() const { return std::accumulate(hits.begin(), hits.end(), 0.0); }
  double precision(std::size_t c) const { return ratio(hits[c], predicted[c]); }
  double recall(std::size_t c) const { return ratio(hits[c], support[c]); }
  /// The harmonic mean of precision and recall.
  double f1(std::size_t c) const {
    return ratio(2 * precision(c) * recall(c), precision(c) + recall(c));
  }

  double rows = 0;
  std::vector<double> support, predicted, hits;
};

/// Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, 2004,
/// eq. (8). Nothing where all samples belong, or are assigned, to one class.
std::optional<double> matthews_correlation(const Agreement& agreement) {
  const double all = agreement.rows * agreement.rows;
  const double of_truth = product(agreement.support, agreement.support);
  const double of_predicted = product(agreement.predicted, agreement.predicted);
  if (of_truth == all || of_predicted == all) return std::nullopt;
  return (agreement.right() * agreement.rows - product(agreement.support, agreement.predicted)) /
         std::sqrt((all - of_truth) * (all - of_predicted));
}

/// The figures and table of the classes, and means over them: of recall over classes that have
/// rows, of F1 over those that have rows or are predicted, and of F1 weighted by their rows.
void report_classes(const Agreement& agreement, const std::vector<std::string>& names,
                    Report& report) {
  Table table{"classes", "class", "", names, {"precision", "recall", "f1", "support"}, {}};
  double recalls = 0, present = 0, f1 = 0, counted = 0, weighted = 0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    table.values.insert(table.values.end(), {agreement.precision(c), agreement.recall(c),
                                             agreement.f1(c), agreement.support[c]});
    recalls += agreement.recall(c);
    present += agreement.support[c] > 0;
    f1 += agreement.f1(c);
    counted += agreement.support[c] + agreement.predicted[c] > 0;
    weighted += agreement.support[c] * agreement.f1(c);
  }
  report.table(table);
  report.number("mean_class_accuracy", ratio(recalls, present));
  report.number("balanced_accuracy", ratio(recalls, present));
  report.number("macro_f1", ratio(f1, counted));
  report.number("weighted_f1", ratio(weighted, agreement.rows));
}

void report_correlation(const Agreement& agreement, Report& report, Context& context) {
  const auto correlation = matthews_correlation(agreement);
  report.number("matthews_correlation", correlation.value_or(0));
  if (!correlation)
    context.log(LogLevel::warning,
                "matthews_correlation is undefined and reported as 0, since all test rows belong "
                "to one class or are assigned to one");
}

/// The standard error of a share is that of a ratio of sums over groups (Liang and Zeger 1986).
void report_groups(const Results& test, const Agreement& agreement, Report& report) {
  if (std::ranges::none_of(test.groups, [](auto group) { return group >= 0; })) return;
  std::map<std::int64_t, double> groups;  // a row of an unknown group has a number below 0
  for (std::size_t i = 0; i < test.labels.size(); ++i) {
    const auto alone = -1 - static_cast<std::int64_t>(i);
    groups[test.group(i) >= 0 ? test.group(i) : alone] +=
        double(predicted_class(test.outputs.row_span(i)) == test.labels[i]) -
        agreement.right() / agreement.rows;
  }
  double squares = 0;
  for (const auto& [group, sum] : groups) squares += sum * sum;
  const auto count = static_cast<double>(groups.size());
  report.integer("groups", static_cast<std::int64_t>(groups.size()));
  if (groups.size() > 1)
    report.number("standard_error", std::sqrt(count / (count - 1) * squares) / agreement.rows);
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

Declaration<Classification> Classification::declare() {
  using enum FigureUnit;
  using enum Better;
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
          "Where test rows have groups, standard_error is that of accuracy and error_rate over "
          "whole "
          "groups (Liang and Zeger 1986), and the page's interval follows from it; a row of an "
          "unknown group is one by itself.\n"
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
          "2004, eq. (8); Brier, Verification of forecasts expressed in terms of probability, "
          "1950; "
          "Liang and Zeger, Longitudinal data analysis using generalized linear models, 1986")
      .complexity("rows x classes")
      .parameter("top_k", &Classification::top_k_,
                 "the K of top_K_accuracy; values not below the number of classes are ignored",
                 at_least(1))
      .reports({"accuracy", "share of correctly classified rows", share, higher, true})
      .reports({"error_rate", "share of misclassified rows", share, lower, true})
      .reports({"errors", "number of misclassified rows", count, lower})
      .reports({"rows", "number of evaluated rows", count})
      .reports({"groups", "number of groups of the evaluated rows, where these have some", count})
      .reports({"standard_error", "of accuracy and error_rate, over whole groups of rows", share})
      .reports({"top_*_accuracy", "share of rows whose class is among the K largest scores", share,
                higher})
      .reports({"mean_class_accuracy", "mean recall of the classes that have rows", share, higher})
      .reports({"balanced_accuracy", "mean recall of the classes that have rows", share, higher})
      .reports(
          {"macro_f1", "mean F1 of the classes that have rows or are predicted", share, higher})
      .reports({"weighted_f1", "mean F1 of the classes, weighted by their rows", share, higher})
      .reports({"matthews_correlation", "correlation of true and predicted classes, in [-1, 1]",
                plain, higher})
      .reports({"log_loss", "mean of -ln p of the true class, where scores are probabilities",
                plain, lower})
      .reports({"brier_score", "mean squared error of the probabilities, over all classes", plain,
                lower})
      .reports({"classes.precision", "share of the rows assigned to the class that belong to it",
                share, higher})
      .reports(
          {"classes.recall", "share of the class's rows that are assigned to it", share, higher})
      .reports({"classes.f1", "harmonic mean of precision and recall", share, higher})
      .reports({"classes.support", "number of test rows of the class", count})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, top_k: [2, 3], from: svm})");
}

void Classification::evaluate(const Results& test, Report& report, Context& context) const {
  check_labelled_scores(test);
  const std::size_t classes = test.classes.size();
  std::vector<std::size_t> rows(test.labels.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  // A table of millions of numbers would be slow to write and too large to read.
  constexpr std::size_t most_classes = 1000;
  std::vector<double> confusion(classes <= most_classes ? classes * classes : 0);
  std::vector<std::int64_t> ranks(classes);
  Agreement agreement(classes);
  for (const std::size_t i : rows) {
    context.check_stop();
    const auto scores = test.outputs.row_span(i);
    const auto truth = static_cast<std::size_t>(test.labels[i]);
    const auto predicted = static_cast<std::size_t>(predicted_class(scores));
    agreement.add(truth, predicted);
    ++ranks[rank(scores, truth)];
    if (!confusion.empty()) ++confusion[truth * classes + predicted];
  }
  const double right = agreement.right(), wrong = agreement.rows - right;
  report.number("error_rate", wrong / agreement.rows);
  report.number("accuracy", right / agreement.rows);
  report.integer("errors", static_cast<std::int64_t>(wrong));
  report.integer("rows", static_cast<std::int64_t>(rows.size()));
  report_groups(test, agreement, report);
  for (const std::int64_t k : top_k_) {
    if (static_cast<std::size_t>(k) >= classes) continue;
    const auto hits = std::accumulate(ranks.begin(), ranks.begin() + k, std::int64_t{0});
    report.number("top_" + std::to_string(k) + "_accuracy",
                  static_cast<double>(hits) / agreement.rows);
  }
  const std::vector<std::string> names(test.classes.begin(), test.classes.end());
  report_classes(agreement, names, report);
  report_correlation(agreement, report, context);
  if (!confusion.empty())
    report.table({"confusion_matrix", "true class", "predicted class", names, names, confusion});
  if (test.probabilities) report_probability_losses(test, rows, report);
}

}  // namespace

ComponentEntry declare_classification() { return Classification::declare().entry(); }

}  // namespace semblance::evaluators
