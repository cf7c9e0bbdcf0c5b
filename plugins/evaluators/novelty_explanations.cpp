// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "explained_tests.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/row_error.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/novelty_explanations`: why some test samples are novel.
class NoveltyExplanations final : public NoveltyEvaluator, public ExplainedChoice {
 public:
  static Declaration<NoveltyExplanations> declare();
  void check_parameters() const override { check_rows_differ(); }
  bool wants_explanations() const override { return true; }
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  std::vector<std::size_t> chosen_rows(const Scored& test) const;
};

Declaration<NoveltyExplanations> NoveltyExplanations::declare() {
  Declaration<NoveltyExplanations> declaration("evaluator/novelty_explanations",
                                               "Why some test samples are novel");
  declaration.documentation(
      "To look into a novelty detector: for some test samples, the examples that raised and "
      "lowered their score, and the parts of the sample that made the difference. By default "
      "these are the most novel samples, those with the smallest scores (on ties, the first "
      "ones). What `semblance explain` says about a sample is drawn, as by "
      "evaluator/explanations; the same numbers are in metrics.json, as `explanations`. The "
      "samples need no classes.\n"
      "\n"
      "A detector that is no sum over examples is explained by its shares alone; if its "
      "samples have no parts either, as sets and graphs, a warning and `not_explained` say so. "
      "New data have no training samples to be drawn.");
  return with_explained(declaration, "the most novel ones",
                        "that raise the score, and that lower it")
      .example(R"(
        points:   {is: source/rings, train: 60, test: 60}
        detector: {is: solver/one_class_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        why:      {is: evaluator/novelty_explanations, count: 2, from: detector})");
}

std::vector<std::size_t> NoveltyExplanations::chosen_rows(const Scored& test) const {
  if (names_rows()) return named_tests(*test.data);
  if (test.scores.rows == 0)
    throw Error("there are no test rows to evaluate; give the source test rows");
  for (std::size_t i = 0; i < test.scores.rows; ++i)
    if (std::isnan(test.scores.row(i)[0]))
      throw RowError(RowError::Of::test, i, "the score of ",
                     " (counted from 0) is NaN; check the rows the solver was given");
  std::vector<std::size_t> rows(test.scores.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return test.scores.row(i)[0]; });
  rows.resize(std::min(rows.size(), count()));
  return rows;
}

void NoveltyExplanations::evaluate(const Scored& test, Report& report, Context& context) const {
  const std::vector<std::size_t> rows = chosen_rows(test);
  auto made = explained_or_not([&] { return test.explain(rows, background()); }, report, context);
  if (!made) return;
  const auto named = [](std::span<const std::string> classes, std::int32_t label) {
    return label < 0 ? std::string() : classes[static_cast<std::size_t>(label)];
  };
  ExplainedTests list(*test.data, test.new_data, ExplainedSamples::Of::novelty, examples());
  const auto labels = test.data->labels();
  for (std::size_t k = 0; k < rows.size(); ++k)
    list.add(
        {rows[k], rows[k] < test.labels.size() ? named(test.classes, test.labels[rows[k]]) : "",
         test.scores.row(rows[k])[0] < 0 ? "novel" : "usual"},
        std::move(made->at(k)), [&](std::size_t row) {
          return row < labels.size() ? named(test.data->outline().classes, labels[row])
                                     : std::string();
        });
  list.report(report);
}

}  // namespace

ComponentEntry declare_novelty_explanations() { return NoveltyExplanations::declare().entry(); }

}  // namespace semblance::evaluators
