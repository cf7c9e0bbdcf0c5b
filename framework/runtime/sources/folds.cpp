// SPDX-License-Identifier: MIT
#include "runtime/sources/folds.hpp"

#include <algorithm>
#include <map>

#include "semblance/error.hpp"
#include "semblance/random.hpp"

namespace semblance {
namespace {

Outline left_out_in_turn(const Outline& all) {
  if (all.train_rows < 2)
    throw Error("leaving out one row at a time needs at least 2 training rows, but there are " +
                std::to_string(all.train_rows));
  Outline twice = all;
  twice.numbered_rows = numbered_rows(all);
  twice.test_rows = all.train_rows;
  twice.rows_in_place = std::min(all.rows_in_place, all.train_rows);
  if (all.rows() > 0) twice.values = all.values / all.rows() * twice.rows();
  return twice;
}

}  // namespace

Outline folded(const Outline& all, const Fold& fold, const char* of) {
  if (fold.each_row) return left_out_in_turn(all);
  if (all.train_rows < fold.count)
    throw Error(std::to_string(fold.count) +
                " folds need at least as many training rows, but there are " +
                std::to_string(all.train_rows) + "; lower 'folds' of " + of);
  Outline part = all;
  part.rows_in_place = 0;
  // As if no row were longer than others: it is for estimates.
  if (all.rows() > 0) part.values = all.values / all.rows() * all.train_rows;
  part.numbered_rows = numbered_rows(all);
  part.test_rows = (all.train_rows - fold.index + fold.count - 1) / fold.count;
  part.train_rows = all.train_rows - part.test_rows;
  if (part.numbered_rows == 0) part.numbered_rows = all.train_rows;
  return part;
}

Outline folded_within(Outline all, const Fold& fold, const char* of) {
  for (const Fold& outer : fold.within)
    all = folded(all, outer, outer.repeat ? "the study's repeats" : "select");
  return folded(all, fold, of);
}

void check_class_sizes(const Dataset& all, std::size_t folds) {
  const Outline& outline = all.outline();
  std::vector<std::size_t> rows(outline.classes.size());
  for (const std::int32_t label : all.labels().first(outline.train_rows))
    if (label >= 0) ++rows.at(static_cast<std::size_t>(label));
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (rows[c] < folds)
      throw Error("class '" + outline.classes[c] + "' has " + std::to_string(rows[c]) +
                  " training rows, but the calibrator holds rows out in " + std::to_string(folds) +
                  " folds, each of which needs one of every class; lower 'folds' of the calibrator "
                  "or give more rows of that class");
}

std::string name_of_data(const PipelineNode& source) {
  return source.fold.count > 0 ? source.name.substr(0, source.name.find('[')) : source.name;
}

std::vector<std::int32_t> classes_of_one_row(std::span<const std::int32_t> labels) {
  std::map<std::int32_t, std::size_t> rows;
  for (const std::int32_t label : labels)
    if (label >= 0) ++rows[label];
  std::vector<std::int32_t> single;
  for (const auto& [label, count] : rows)
    if (count == 1) single.push_back(label);
  // Persons, for example, are compared in pairs: most may have one row only, and none is missed.
  if (2 * single.size() > rows.size()) single.clear();
  return single;
}

namespace {

using RowsByClass = std::map<std::int32_t, std::vector<std::int64_t>>;

/// Has rows of the largest class held out instead of those that are the only ones of their class.
void learn_from_single_rows(std::span<const std::int32_t> single, const RowsByClass& by_class,
                            std::vector<bool>& held) {
  if (single.empty()) return;
  const auto& largest = std::ranges::max_element(by_class, {}, [](const auto& entry) {
                          return entry.first < 0 ? 0 : entry.second.size();
                        })->second;
  auto learned = static_cast<std::size_t>(std::ranges::count_if(
      largest, [&](std::int64_t row) { return !held[static_cast<std::size_t>(row)]; }));
  auto other = largest.begin();
  for (const std::int32_t label : single) {
    const auto row = static_cast<std::size_t>(by_class.at(label).front());
    if (!held[row] || learned < 2) continue;
    while (held[static_cast<std::size_t>(*other)]) ++other;
    held[static_cast<std::size_t>(*other)] = true;
    held[row] = false;
    --learned;
  }
}

}  // namespace

std::vector<std::int64_t> fold_rows(std::span<const std::int32_t> labels, const Fold& fold) {
  if (fold.each_row) {
    std::vector<std::int64_t> twice(2 * labels.size());
    for (std::size_t i = 0; i < twice.size(); ++i)
      twice[i] = static_cast<std::int64_t>(i % labels.size());
    return twice;
  }
  RowsByClass by_class;
  for (std::size_t i = 0; i < labels.size(); ++i)
    by_class[labels[i]].push_back(static_cast<std::int64_t>(i));
  Random random(fold.seed);
  std::vector<bool> held(labels.size());
  std::size_t place = 0;
  for (auto& [label, rows] : by_class) {
    random.shuffle(std::span(rows));
    for (const std::int64_t row : rows)
      held[static_cast<std::size_t>(row)] = place++ % fold.count == fold.index;
  }
  learn_from_single_rows(classes_of_one_row(labels), by_class, held);
  std::vector<std::int64_t> order;
  order.reserve(labels.size());
  for (const bool part : {false, true})
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (held[i] == part) order.push_back(static_cast<std::int64_t>(i));
  return order;
}

FoldedDataset::FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold)
    : RearrangedRows(all, folded(all->outline(), fold),
                     fold_rows(all->labels().first(all->outline().train_rows), fold)) {}

}  // namespace semblance
