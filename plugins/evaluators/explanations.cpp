// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "explained_tests.hpp"
#include "scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/explanations`: why some test samples are predicted as they are.
class Explanations final : public Evaluator, public ExplainedChoice {
 public:
  static Declaration<Explanations> declare();
  void check_parameters() const override;
  bool wants_explanations() const override { return true; }
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  std::vector<std::size_t> chosen_rows(const Scored& test, Report& report, Context& context) const;
};

Declaration<Explanations> Explanations::declare() {
  Declaration<Explanations> declaration("evaluator/explanations",
                                        "Why some test samples are predicted as they are");
  declaration.documentation(
      "To look into a classifier: for some test samples, the examples that spoke for the "
      "predicted class and for the strongest other one, and the parts of the sample that made "
      "the difference. By default these are the misclassified samples that are wrong by most, "
      "then the right ones by the smallest margin. What `semblance explain` says about a "
      "sample is drawn: bases of a map, or vectors of a kernel machine, with their "
      "contributions; Shapley values as bars of a vector's columns, as colours of a series' "
      "steps and of a string's letters, and as a heat map over an image. The same numbers are "
      "in metrics.json, as `explanations`.\n"
      "\n"
      "Where scores are calibrated, the solver before the calibrator is explained. A "
      "classifier "
      "that is no sum over examples is explained by its shares alone; if its samples have no "
      "parts either, as sets and graphs, a warning and `not_explained` say so. New data have "
      "no training samples to be drawn.");
  return with_explained(declaration, "misclassified ones", "for a class and against it")
      .reports(known_rows_figures())
      .example(R"(
        points: {is: source/rings, classes: 3, train: 60, test: 60}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        why:    {is: evaluator/explanations, count: 2, from: svm})");
}

void Explanations::check_parameters() const { check_rows_differ(); }

/// Misclassified samples by how wrong they are, then the others by their margin.
std::vector<std::size_t> Explanations::chosen_rows(const Scored& test, Report& report,
                                                   Context& context) const {
  if (names_rows()) return named_tests(*test.data);
  std::vector<std::size_t> rows = known_rows(test, report, context);
  std::vector<double> margins(test.scores.rows);
  for (const std::size_t i : rows) {
    const auto scores = test.scores.row_span(i);
    const auto label = static_cast<std::size_t>(test.labels[i]);
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (c != label) other = std::max(other, double{scores[c]});
    // Ties go to the first class: a margin of zero may be right or wrong.
    const bool right = predicted_class(scores) == test.labels[i];
    const double margin = double{scores[label]} - other;
    margins[i] = std::isnan(margin) ? 0 : right ? std::max(margin, 0.0) : margin;
    if (!right && !(margins[i] < 0)) margins[i] = -std::numeric_limits<double>::denorm_min();
  }
  std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return margins[i]; });
  rows.resize(std::min(rows.size(), count()));
  return rows;
}

void Explanations::evaluate(const Scored& test, Report& report, Context& context) const {
  const std::vector<std::size_t> rows = chosen_rows(test, report, context);
  auto made = explained_or_not([&] { return test.explain(rows, background()); }, report, context);
  if (!made) return;
  const auto named = [](std::span<const std::string> classes, std::int32_t label) {
    return label < 0 ? std::string() : classes[static_cast<std::size_t>(label)];
  };
  ExplainedTests list(*test.data, test.new_data, ExplainedSamples::Of::classes, examples());
  for (std::size_t k = 0; k < rows.size(); ++k)
    list.add({rows[k], named(test.classes, test.labels[rows[k]]),
              named(test.classes, predicted_class(test.scores.row_span(rows[k])))},
             std::move(made->at(k)), [&](std::size_t row) {
               return named(test.data->outline().classes, test.data->labels()[row]);
             });
  list.report(report);
}

}  // namespace

ComponentEntry declare_explanations() { return Explanations::declare().entry(); }

}  // namespace semblance::evaluators
