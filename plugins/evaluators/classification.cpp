// SPDX-License-Identifier: MIT
#include "classification.hpp"

#include <string>

#include "semblance/label_evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

/// Classes that come before `own` in the order of falling scores; ties in the order of the classes.
std::size_t rank(std::span<const float> scores, std::size_t own) {
  std::size_t before = 0;
  for (std::size_t c = 0; c < scores.size(); ++c)
    before += scores[c] > scores[own] || (scores[c] == scores[own] && c < own);
  return before;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Counts, rows the true class, columns the predicted one.
struct Confusion {
  explicit Confusion(std::size_t n) : classes(n), counts(n * n) {}
  double& at(std::size_t truth, std::size_t predicted) {
    return counts[truth * classes + predicted];
  }
  double hits(std::size_t c) const { return counts[c * classes + c]; }
  std::size_t classes;
  std::vector<double> counts;
};

void report_classes(const Confusion& confusion, std::span<const std::string> classes,
                    Report& report, const Context& context) {
  // A table of millions of numbers takes longer to write and to read than anybody looks at it.
  constexpr std::size_t most_classes = 1000;
  const std::vector<std::string> names(classes.begin(), classes.end());
  Table table{"classes", "class", "", names, {"precision", "recall", "f1", "support"}, {}};
  const std::size_t n = classes.size();
  std::vector<double> supports(n), predicted(n);
  for (std::size_t truth = 0; truth < n; ++truth) {
    context.check_stop();
    for (std::size_t c = 0; c < n; ++c) {
      supports[truth] += confusion.counts[truth * n + c];
      predicted[c] += confusion.counts[truth * n + c];
    }
  }
  double recalls = 0, present = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double hits = confusion.hits(c), support = supports[c];
    const double precision = ratio(hits, predicted[c]), recall = ratio(hits, support);
    const double f1 = ratio(2 * precision * recall, precision + recall);
    for (const double value : {precision, recall, f1, support}) table.values.push_back(value);
    recalls += recall;
    present += support > 0;
  }
  report.number("mean_class_accuracy", ratio(recalls, present));
  report.table(table);
  if (n > most_classes) return;
  report.table(
      {"confusion_matrix", "true class", "predicted class", names, names, confusion.counts});
}

}  // namespace

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
          "Rows without a label are refused.")
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

void Classification::evaluate(const Scored& test, Report& report, Context& context) const {
  check_labelled_scores(test);
  context.check_stop();
  const std::size_t rows = test.scores.rows, classes = test.classes.size();
  Confusion confusion(classes);
  std::vector<std::int64_t> ranks(classes);
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    context.check_stop();
    const auto scores = test.scores.row_span(i);
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
  report_classes(confusion, test.classes, report, context);
}

}  // namespace semblance::evaluators
