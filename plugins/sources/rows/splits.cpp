// SPDX-License-Identifier: MIT
// Which rows of a table are set aside for testing.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "rows/table_source.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/target_strata.hpp"

namespace semblance::sources {

namespace {

/// Rows keep their order on both sides.
Split split_by(const std::vector<bool>& test) {
  Split split;
  split.order.resize(test.size());
  std::iota(split.order.begin(), split.order.end(), std::size_t{0});
  const auto middle = std::stable_partition(split.order.begin(), split.order.end(),
                                            [&](std::size_t i) { return !test[i]; });
  split.train_rows = static_cast<std::size_t>(middle - split.order.begin());
  split.test_rows = test.size() - split.train_rows;
  return split;
}

/// The rows of each class, in random order.
std::vector<std::vector<std::size_t>> shuffled_classes(std::span<const std::int32_t> labels,
                                                       Random& random) {
  std::vector<std::vector<std::size_t>> members(
      static_cast<std::size_t>(std::ranges::max(labels) + 1));
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= 0) members[labels[i]].push_back(i);
  for (auto& rows : members) random.shuffle(std::span(rows));
  return members;
}

}  // namespace

Split stratified_split(std::span<const std::int32_t> labels, double fraction, Random random) {
  std::vector<bool> test(labels.size(), false);
  for (const auto& rows : shuffled_classes(labels, random)) {
    const auto wanted = static_cast<std::size_t>(std::llround(fraction * double(rows.size())));
    const std::size_t count = std::min(wanted, rows.empty() ? 0 : rows.size() - 1);
    for (std::size_t k = 0; k < count; ++k) test[rows[k]] = true;
  }
  return split_by(test);
}

Split resampled_split(std::span<const std::int32_t> labels, std::size_t first, Random random) {
  std::vector<bool> test(labels.size());
  for (std::size_t i = first; i < labels.size(); ++i) test[i] = true;
  for (const auto& rows : shuffled_classes(labels, random)) {
    const auto trained = std::ranges::count_if(rows, [&](std::size_t row) { return row < first; });
    for (std::size_t k = 0; k < rows.size(); ++k)
      test[rows[k]] = std::cmp_greater_equal(k, trained);
  }
  return split_by(test);
}

/// Each row of a run is drawn with the same probability: the longer runs are at random places.
Split quantile_split(const RowTargets& targets, double fraction, Random random) {
  const std::size_t width = targets.names.size(), rows = targets.values.size() / width;
  const std::vector<std::size_t> order = order_of_targets(targets.values, width);
  const auto wanted = static_cast<std::size_t>(std::llround(fraction * double(order.size())));
  const std::size_t count = std::min(wanted, order.empty() ? 0 : order.size() - 1);
  const bool draws_training = count > order.size() - count;
  const std::size_t runs = draws_training ? order.size() - count : count;
  std::vector<bool> test(rows, false);
  if (draws_training)
    for (const std::size_t row : order) test[row] = true;
  if (runs == 0) return split_by(test);
  std::vector<std::size_t> sizes(runs, order.size() / runs);
  for (std::size_t k = 0; k < order.size() % runs; ++k) ++sizes[k];
  random.shuffle(std::span(sizes));
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    test[order[first + random.below(size)]] = !draws_training;
    first += size;
  }
  return split_by(test);
}

namespace {

/// Groups of several classes may have left one with none.
void keep_classes_in_training(std::span<const std::int32_t> labels,
                              std::span<const std::int32_t> groups, std::vector<bool>& test) {
  std::set<std::int32_t> trained, taken_back;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!test[i]) trained.insert(labels[i]);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!trained.contains(labels[i]) && taken_back.insert(groups[i]).second)
      for (std::size_t k = 0; k < labels.size(); ++k)
        if (groups[k] == groups[i]) trained.insert(labels[k]);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (taken_back.contains(groups[i])) test[i] = false;
}

}  // namespace

Split grouped_split(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
                    double fraction, Random random) {
  const std::vector<std::int32_t> single = classes_of_one_group(labels, groups);
  std::set<std::int32_t> stay;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (std::ranges::binary_search(single, labels[i])) stay.insert(groups[i]);
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> free_labels, free_groups;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || stay.contains(groups[i])) continue;
    rows.push_back(i);
    free_labels.push_back(labels[i]);
    free_groups.push_back(groups[i]);
  }
  const std::vector<double> shares = {1 - fraction, fraction};
  const auto parts = deal_groups(free_labels, free_groups, shares, random);
  std::vector<bool> test(labels.size(), false);
  for (std::size_t k = 0; k < rows.size(); ++k) test[rows[k]] = parts[k] == 1;
  keep_classes_in_training(labels, groups, test);
  const std::set different(free_groups.begin(), free_groups.end());
  if (different.size() < 2 || std::ranges::none_of(test, [](bool aside) { return aside; }))
    throw Error("'test_fraction' sets whole groups aside, but the rows are of " +
                std::to_string(different.size() + stay.size()) +
                (different.size() + stay.size() == 1 ? " group" : " groups") +
                ", of which none can go; give rows of more groups, or set 'split_by: row'");
  return split_by(test);
}

Split drawn_split(std::span<const std::int32_t> labels, const RowTargets& targets,
                  std::span<const std::int32_t> groups, double fraction, Random random) {
  if (!targets.empty() && groups.empty()) return quantile_split(targets, fraction, random);
  std::vector<std::int32_t> classes(labels.begin(), labels.end());
  if (std::ranges::none_of(classes, [](std::int32_t label) { return label >= 0; }))
    std::ranges::replace(classes, no_label, 0);
  return groups.empty() ? stratified_split(classes, fraction, random)
                        : grouped_split(classes, groups, fraction, random);
}

Split class_split(std::span<const std::int32_t> labels, double fraction, Random random) {
  const std::set<std::int32_t> present(labels.begin(), labels.end());
  std::vector<std::int32_t> classes(present.begin(), present.end());
  std::erase_if(classes, [](std::int32_t label) { return label < 0; });
  if (classes.size() < 2)
    throw Error("'test_class_fraction' needs at least 2 classes, one to train on and one to test");
  random.shuffle(std::span(classes));
  const auto wanted =
      static_cast<std::size_t>(std::llround(fraction * static_cast<double>(classes.size())));
  classes.resize(std::clamp<std::size_t>(wanted, 1, classes.size() - 1));
  const std::set<std::int32_t> aside(classes.begin(), classes.end());
  std::vector<bool> test;
  for (const std::int32_t label : labels) test.push_back(aside.contains(label));
  return split_by(test);
}

}  // namespace semblance::sources
