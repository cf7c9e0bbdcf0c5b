// SPDX-License-Identifier: MIT
#include "semblance/label_evaluator.hpp"

#include <cmath>
#include <vector>

#include "semblance/predicted_class.hpp"
#include "semblance/row_error.hpp"

namespace semblance {
namespace {

/// Throws Error unless all sizes are correct; labels may be unknown.
void check_sizes(const Results& test) {
  const std::size_t rows = test.outputs.rows, classes = test.classes.size();
  if (rows == 0) throw Error("there are no test rows to evaluate; give the source test rows");
  if (classes < 2 || test.outputs.cols != classes)
    throw Error("the scores have " + std::to_string(test.outputs.cols) + " columns for " +
                std::to_string(classes) +
                " classes; it takes at least 2 classes with one score each");
  if (test.labels.size() != rows)
    throw Error(std::to_string(test.labels.size()) + " labels for " + std::to_string(rows) +
                " test rows; there must be one per row");
}

void check_row(const Results& test, std::size_t i) {
  const std::int32_t label = test.labels[i];
  const std::size_t classes = test.classes.size();
  if (label >= 0 && static_cast<std::size_t>(label) >= classes)
    throw RowError(RowError::Of::test, i, "",
                   " (counted from 0) has the label " + std::to_string(label) +
                       "; labels must be in [0, " + std::to_string(classes) + ")");
  for (const float s : test.outputs.row_span(i))
    if (std::isnan(s))
      throw RowError(RowError::Of::test, i, "a score of ",
                     " (counted from 0) is NaN; check the rows the solver was given");
}

}  // namespace

void check_labelled_scores(const Results& test) {
  check_sizes(test);
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    if (test.labels[i] < 0)
      throw RowError(RowError::Of::test, i, "",
                     " (counted from 0) has no label; only labelled rows can be evaluated");
    check_row(test, i);
  }
}

std::vector<std::size_t> labelled_rows(const Results& test) {
  check_sizes(test);
  std::vector<std::size_t> rows;
  rows.reserve(test.outputs.rows);
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    check_row(test, i);
    if (test.labels[i] >= 0) rows.push_back(i);
  }
  if (rows.empty()) throw Error("no test row has a label; only labelled rows can be evaluated");
  return rows;
}

void LabelEvaluator::evaluate(const Results& test, Report& report, Context& context) const {
  check_labelled_scores(test);
  std::vector<std::int32_t> predicted(test.outputs.rows);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    context.check_stop();
    predicted[i] = predicted_class(test.outputs.row_span(i));
  }
  evaluate_labels({test.labels, predicted, test.classes}, report, context);
}

}  // namespace semblance
