// SPDX-License-Identifier: MIT
#include "runtime/sources/folds.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/target_strata.hpp"

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

/// The outline of a fold that holds out `held_out` samples.
Outline outline_of_fold(const Outline& all, std::size_t held_out) {
  Outline part = all;
  part.rows_in_place = 0;
  // As if all rows had the same length: it is for estimates.
  if (all.rows() > 0) part.values = all.values / all.rows() * all.train_rows;
  part.numbered_rows = numbered_rows(all);
  part.test_rows = held_out;
  part.train_rows = all.train_rows - held_out;
  if (part.numbered_rows == 0) part.numbered_rows = all.train_rows;
  return part;
}

const char* maker_of(const Fold& fold) { return fold.repeat ? "the study's repeats" : "select"; }

/// The groups that a fold does not split.
std::span<const std::int32_t> training_groups(const Dataset& all, const Fold& fold) {
  const auto groups = all.groups();
  return fold.by_row || groups.empty() ? std::span<const std::int32_t>()
                                       : groups.first(all.outline().train_rows);
}

}  // namespace

std::vector<std::int32_t> fold_strata(std::span<const std::int32_t> labels,
                                      std::span<const double> targets, std::size_t width,
                                      bool grouped, const Fold& fold, bool any_class) {
  if (width == 0 || fold.each_row) {
    std::vector<std::int32_t> strata(labels.begin(), labels.end());
    if (any_class)
      for (const std::int32_t single : classes_of_one_row(labels))
        std::ranges::replace(strata, single, -1);
    return strata;
  }
  if (grouped) return std::vector<std::int32_t>(labels.size());
  return target_strata(targets, width, fold.count);
}

namespace {

/// The strata of a fold of a data set.
std::vector<std::int32_t> strata_of(const Dataset& all, const Fold& fold, bool any_class) {
  const Outline& outline = all.outline();
  const std::size_t width = outline.targets.size();
  return fold_strata(all.labels().first(outline.train_rows),
                     all.targets().first(outline.train_rows * width), width,
                     !training_groups(all, fold).empty(), fold, any_class);
}

}  // namespace

const char* maker_of_folds(const PipelineNode& source) {
  return source.held_out ? "the calibrator" : maker_of(source.fold);
}

Outline folded(const Outline& all, const Fold& fold, const char* of) {
  if (fold.each_row) return left_out_in_turn(all);
  if (all.train_rows < fold.count)
    throw Error(std::to_string(fold.count) +
                " folds need at least as many training rows, but there are " +
                std::to_string(all.train_rows) + "; lower 'folds' of " + of);
  return outline_of_fold(all, (all.train_rows - fold.index + fold.count - 1) / fold.count);
}

Outline folded_within(Outline all, const Fold& fold, const char* of) {
  for (const Fold& outer : fold.within) all = folded(all, outer, maker_of(outer));
  return folded(all, fold, of);
}

namespace {

/// Each fold must learn from samples of every class.
void check_classes_of_groups(const Dataset& all, std::span<const std::int32_t> groups,
                             const Fold& fold) {
  const Outline& outline = all.outline();
  const auto labels = all.labels().first(outline.train_rows);
  std::vector<std::set<std::int32_t>> found(outline.classes.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= 0) found.at(static_cast<std::size_t>(labels[i])).insert(groups[i]);
  for (std::size_t c = 0; c < found.size(); ++c)
    if (found[c].size() < 2)
      throw Error("class '" + outline.classes[c] + "' has training rows in " +
                  (found[c].empty() ? "no group" : "a single group") +
                  ", but the calibrator holds rows out by group, and each fold needs rows of every "
                  "class; give rows of that class in more groups, or set 'folds_by: row' of the "
                  "calibrator");
  const FoldRows rows = fold_rows(labels, groups, fold, "the calibrator");
  std::vector<char> learned(found.size());
  for (std::size_t i = 0; i < rows.train_rows; ++i)
    if (const auto label = labels[static_cast<std::size_t>(rows.rows[i])]; label >= 0)
      learned[static_cast<std::size_t>(label)] = 1;
  for (std::size_t c = 0; c < found.size(); ++c)
    if (!learned[c])
      throw Error("all groups with class '" + outline.classes[c] +
                  "' are held out by one of the calibrator's " + std::to_string(fold.count) +
                  " folds, and each fold needs rows of every class; raise 'folds' of the "
                  "calibrator, or give rows of that class in more groups");
}

}  // namespace

void check_class_sizes(const Dataset& all, const Fold& fold) {
  if (const auto groups = training_groups(all, fold); !groups.empty())
    return check_classes_of_groups(all, groups, fold);
  const Outline& outline = all.outline();
  std::vector<std::size_t> rows(outline.classes.size());
  for (const std::int32_t label : all.labels().first(outline.train_rows))
    if (label >= 0) ++rows.at(static_cast<std::size_t>(label));
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (rows[c] < 2)
      throw Error("class '" + outline.classes[c] + "' has " +
                  (rows[c] == 0 ? "no training row" : "a single training row") +
                  ", but the calibrator holds out each row once, and what is trained without it "
                  "needs rows of every class; give more rows of that class, or leave it out");
}

std::string name_of_data(const PipelineNode& source) {
  return source.name.substr(0, source.name.find('['));
}

std::vector<std::int32_t> classes_of_one_row(std::span<const std::int32_t> labels) {
  std::map<std::int32_t, std::size_t> rows;
  for (const std::int32_t label : labels)
    if (label >= 0) ++rows[label];
  std::vector<std::int32_t> single;
  for (const auto& [label, count] : rows)
    if (count == 1) single.push_back(label);
  // Persons, for example, are compared in pairs: most may have a single sample, and none is missed.
  if (2 * single.size() > rows.size()) single.clear();
  return single;
}

namespace {

using RowsByClass = std::map<std::int32_t, std::vector<std::int64_t>>;

/// Holds out samples of the largest class instead of the only samples of other classes.
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

/// Which samples a fold of single samples holds out.
std::vector<bool> rows_held_out(std::span<const std::int32_t> labels, const Fold& fold) {
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
  return held;
}

/// The same for a fold that does not split groups.
std::vector<bool> groups_held_out(std::span<const std::int32_t> labels,
                                  std::span<const std::int32_t> groups, const Fold& fold,
                                  const char* of) {
  const auto parts = parts_by_group(labels, groups, fold.count, Random(fold.seed),
                                    std::string("lower 'folds' of ") + of);
  std::vector<bool> held(labels.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = parts[i] == fold.index;
  return held;
}

}  // namespace

FoldRows fold_rows(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
                   const Fold& fold, const char* of) {
  const std::size_t count = labels.size();
  if (fold.each_row) {
    FoldRows twice{std::vector<std::int64_t>(2 * count), count};
    for (std::size_t i = 0; i < 2 * count; ++i)
      twice.rows[i] = static_cast<std::int64_t>(i % count);
    return twice;
  }
  const std::vector<bool> held =
      groups.empty() ? rows_held_out(labels, fold) : groups_held_out(labels, groups, fold, of);
  FoldRows order;
  order.rows.reserve(count);
  for (const bool part : {false, true}) {
    for (std::size_t i = 0; i < count; ++i)
      if (held[i] == part) order.rows.push_back(static_cast<std::int64_t>(i));
    if (!part) order.train_rows = order.rows.size();
  }
  return order;
}

FoldedDataset::FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold,
                             const char* of, bool any_class)
    : FoldedDataset(
          all, fold,
          fold_rows(strata_of(*all, fold, any_class), training_groups(*all, fold), fold, of)) {}

FoldedDataset::FoldedDataset(const std::shared_ptr<const Dataset>& all, const Fold& fold,
                             const FoldRows& rows)
    : RearrangedRows(all,
                     fold.each_row
                         ? left_out_in_turn(all->outline())
                         : outline_of_fold(all->outline(), rows.rows.size() - rows.train_rows),
                     rows.rows) {}

std::shared_ptr<const Dataset> folds_of_data(const PipelineNode& source,
                                             std::shared_ptr<const Dataset> all) {
  const Fold& fold = source.fold;
  for (const Fold& outer : fold.within)
    all = std::make_shared<FoldedDataset>(std::move(all), outer, maker_of(outer));
  const bool any_class = source.held_out && !source.needs_classes;
  if (source.held_out && !any_class) check_class_sizes(*all, fold);
  return std::make_shared<FoldedDataset>(std::move(all), fold, maker_of_folds(source), any_class);
}

}  // namespace semblance
