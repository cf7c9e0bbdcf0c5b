// SPDX-License-Identifier: MIT
#include "training_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/row_error.hpp"

namespace semblance::common {
bool all_finite(std::span<const float> values) {
  // x * 0 is NaN if x is not finite; a sum over many values vectorises, a test of each does not.
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= values.size(); j += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += values[j + l] * 0;
  for (; j < values.size(); ++j) sums[0] += values[j] * 0;
  return std::all_of(sums, sums + lanes, [](float x) { return x == 0; });
}

void check_labels(const TrainingSet& training) {
  const std::size_t rows = training.rows.rows(), classes = training.classes.size();
  if (rows == 0) throw Error("there are no training rows");
  if (training.labels.size() != rows)
    throw Error(std::to_string(training.labels.size()) + " labels for " + std::to_string(rows) +
                " training rows; there must be one per row");
  if (classes < 2)
    throw Error("a classifier needs at least 2 classes, but the data have " +
                std::to_string(classes));
  std::vector<std::size_t> counts(classes);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t label = training.labels[i];
    if (label < 0 || static_cast<std::size_t>(label) >= classes)
      throw RowError(RowError::Of::training, i, "",
                     " (counted from 0) has the label " + std::to_string(label) +
                         "; labels must be in [0, " + std::to_string(classes) + ")");
    ++counts[static_cast<std::size_t>(label)];
  }
  for (std::size_t c = 0; c < classes; ++c)
    if (counts[c] == 0)
      throw Error("class '" + training.classes[c] +
                  "' has no training rows; train on more rows or remove the class");
}

void check_targets(const TrainingSet& training) {
  const std::size_t rows = training.rows.rows(), count = training.target_names.size();
  if (rows == 0) throw Error("there are no training rows");
  if (count == 0) throw Error("the data have no numbers to predict; name a column as target");
  if (training.targets.size() != rows * count)
    throw Error(std::to_string(training.targets.size()) + " target numbers for " +
                std::to_string(rows) + " training rows and " + std::to_string(count) +
                " targets; there must be one per row and target");
  for (std::size_t k = 0; k < training.targets.size(); ++k)
    if (!std::isfinite(training.targets[k]))
      throw RowError(RowError::Of::training, k / count, "",
                     " (counted from 0) has the target '" + training.target_names[k % count] +
                         "' " + (std::isnan(training.targets[k]) ? "NaN" : "infinite") +
                         "; training needs finite targets");
}

namespace {

/// A value that is not finite. If there is none, its row is the number of rows.
struct BadValue {
  std::size_t row;
  std::size_t column;
  bool nan;
};

/// The first one in the own rows.
BadValue first_bad_value(const Rows& rows, Context& context) {
  const OwnParts own = context.collectives().own(RowParts(rows.rows()));
  const std::size_t first_block = own.first_row / block_rows;
  std::vector<std::size_t> bad(block_count(own.rows), rows.rows());
  for_each_own_block(rows, context, [&](std::size_t block, std::size_t first, MatrixView view) {
    if (context.stop_requested() != StopReason::none) return;
    std::size_t& found = bad[block - first_block];
    for (std::size_t r = 0; r < view.rows && found == rows.rows(); ++r)
      if (!all_finite(view.row_span(r))) found = first + r;
  });
  const auto found = std::min_element(bad.begin(), bad.end());
  if (found == bad.end() || *found == rows.rows()) return {rows.rows(), 0, false};
  const MatrixView bad_row = rows.view(*found, 1);
  const std::span<const float> row = bad_row.row_span(0);
  const auto value =
      std::find_if(row.begin(), row.end(), [](float x) { return !std::isfinite(x); });
  const auto place = static_cast<std::size_t>(value - row.begin());
  return {*found, bad_row.sparse() ? bad_row.columns_of(0)[place] : place, std::isnan(*value)};
}

}  // namespace

void check_finite(const Rows& rows, Context& context) {
  const std::vector<BadValue> of_ranks =
      context.collectives().gather(std::vector<BadValue>{first_bad_value(rows, context)});
  const BadValue& first = *std::ranges::min_element(of_ranks, {}, &BadValue::row);
  if (first.row == rows.rows()) return;
  throw RowError(RowError::Of::training, first.row, "",
                 ", column " + std::to_string(first.column) + " (both counted from 0) is " +
                     (first.nan ? "NaN" : "infinite") + "; training needs finite values");
}

void check_scores(MutableMatrixView out, std::size_t classes) {
  if (out.cols != classes)
    throw Error("a model of " + std::to_string(classes) + " classes cannot give " +
                std::to_string(out.cols) + " scores; train it again");
}

void check_estimates(MutableMatrixView out, std::size_t targets) {
  if (targets == 0) throw Error("the solver has not been trained");
  if (out.cols != targets)
    throw Error("a model of " + std::to_string(targets) + " targets cannot give " +
                std::to_string(out.cols) + " estimates; train it again");
}

}  // namespace semblance::common
