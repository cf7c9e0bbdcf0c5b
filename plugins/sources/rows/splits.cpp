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
  split.test_rows = static_cast<std::size_t>(std::ranges::count(test, true));
  split.train_rows = test.size() - split.test_rows;
  split.order.resize(test.size());
  std::size_t next_train = 0, next_test = split.train_rows;
  for (std::size_t i = 0; i < test.size(); ++i)
    split.order[test[i] ? next_test++ : next_train++] = i;
  return split;
}

/// The rows by class, those of each in random order. Millions of them have one array, which never
/// grows.
class ShuffledClasses {
 public:
  ShuffledClasses(std::span<const std::int32_t> labels, Random& random)
      : starts_(static_cast<std::size_t>(std::ranges::max(labels) + 2)) {
    for (const std::int32_t label : labels)
      if (label >= 0) ++starts_[static_cast<std::size_t>(label) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    rows_.resize(starts_.back());
    std::vector<std::size_t> next = starts_;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] >= 0) rows_[next[static_cast<std::size_t>(labels[i])]++] = i;
    for (std::size_t c = 0; c < count(); ++c) random.shuffle(of_class(c));
  }

  std::size_t count() const noexcept { return starts_.size() - 1; }
  std::span<std::size_t> of_class(std::size_t c) {
    return std::span(rows_).subspan(starts_[c], starts_[c + 1] - starts_[c]);
  }

 private:
  std::vector<std::size_t> starts_, rows_;
};

/// Which rows are for testing.
std::vector<bool> stratified_tests(std::span<const std::int32_t> labels, double fraction,
                                   Random random) {
  std::vector<bool> test(labels.size(), false);
  ShuffledClasses classes(labels, random);
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const auto rows = classes.of_class(c);
    const auto wanted = static_cast<std::size_t>(std::llround(fraction * double(rows.size())));
    const std::size_t count = std::min(wanted, rows.empty() ? 0 : rows.size() - 1);
    for (std::size_t k = 0; k < count; ++k) test[rows[k]] = true;
  }
  return test;
}

}  // namespace

Split stratified_split(std::span<const std::int32_t> labels, double fraction, Random random) {
  return split_by(stratified_tests(labels, fraction, random));
}

Split resampled_split(std::span<const std::int32_t> labels, std::size_t first, Random random) {
  std::vector<bool> test(labels.size());
  for (std::size_t i = first; i < labels.size(); ++i) test[i] = true;
  ShuffledClasses classes(labels, random);
  for (std::size_t c = 0; c < classes.count(); ++c) {
    const auto rows = classes.of_class(c);
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
  const auto has_class = [](std::int32_t label) { return label >= 0; };
  std::vector<std::int32_t> one_class;
  if (std::ranges::none_of(labels, has_class)) {
    one_class.assign(labels.begin(), labels.end());
    std::ranges::replace(one_class, no_label, 0);
    labels = one_class;
  }
  return groups.empty() ? stratified_split(labels, fraction, random)
                        : grouped_split(labels, groups, fraction, random);
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
