// SPDX-License-Identifier: MIT
#include "class_rows.hpp"

#include <string>

#include "semblance/row_error.hpp"

namespace semblance::bases {
namespace {

// At most five by name: there may be thousands of small classes.
std::string list_small(const TrainingSet& training,
                       const std::vector<std::vector<std::int64_t>>& rows, std::size_t wanted) {
  std::string text;
  std::size_t named = 0, left = 0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c].size() >= wanted) continue;
    if (named == 5) {
      ++left;
      continue;
    }
    text +=
        (named++ ? ", '" : "'") + training.classes[c] + "' has " + std::to_string(rows[c].size());
  }
  return left ? text + " and " + std::to_string(left) + " more have too few" : text;
}

}  // namespace

std::vector<std::vector<std::int64_t>> rows_by_class(const TrainingSet& training,
                                                     std::int64_t per_class) {
  if (training.classes.empty())
    throw Error("the training rows have no classes to choose from; use basis/random or basis/all");
  std::vector<std::vector<std::int64_t>> rows(training.classes.size());
  for (std::size_t i = 0; i < training.labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(training.labels[i]);
    if (label >= rows.size())
      throw RowError(RowError::Of::training, i, "",
                     " has label " + std::to_string(training.labels[i]) + ", but there are " +
                         std::to_string(rows.size()) + " classes");
    rows[label].push_back(static_cast<std::int64_t>(i));
  }
  const std::string small = list_small(training, rows, static_cast<std::size_t>(per_class));
  if (!small.empty())
    throw Error("per_class requests " + std::to_string(per_class) +
                " training rows of each class, but " + small +
                "; lower per_class or train on more data");
  return rows;
}

}  // namespace semblance::bases
