// SPDX-License-Identifier: MIT
#include "semblance/row_groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "semblance/error.hpp"

namespace row_groups_test {

using namespace semblance;

namespace {

using Numbers = std::vector<std::int32_t>;
using Parts = std::vector<std::size_t>;

struct Table {
  Numbers labels, groups;
};

/// Groups of different sizes and class mixtures, with rows in random order.
Table random_table(std::uint64_t seed, std::size_t groups, std::size_t classes,
                   std::size_t largest) {
  Random random(seed);
  std::vector<std::pair<std::int32_t, std::int32_t>> rows;
  for (std::size_t g = 0; g < groups; ++g) {
    const auto usual = random.below(classes);
    const double share = random.uniform();
    const auto size = 1 + random.below(largest);
    for (std::uint64_t i = 0; i < size; ++i)
      rows.emplace_back(random.uniform() < share ? usual : random.below(classes), 7 * g + 3);
  }
  random.shuffle(std::span(rows));
  Table table;
  for (const auto& [label, group] : rows) {
    table.labels.push_back(label);
    table.groups.push_back(group);
  }
  return table;
}

bool groups_are_whole(const Numbers& groups, const Parts& parts) {
  std::map<std::int32_t, std::size_t> of;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (of.try_emplace(groups[i], parts[i]).first->second != parts[i]) return false;
  return true;
}

/// The mean over classes of the deviation, over parts, of the share of a class: the objective of
/// StratifiedGroupKFold.
double imbalance(const Numbers& labels, const Parts& parts, std::size_t count) {
  std::map<std::int32_t, std::vector<double>> shares;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto& of = shares[labels[i]];
    of.resize(count);
    ++of[parts[i]];
  }
  double sum = 0;
  for (auto& [label, of] : shares) {
    const double all = std::accumulate(of.begin(), of.end(), 0.0);
    double variance = 0;
    for (const double rows : of)
      variance += std::pow(rows / all - 1 / static_cast<double>(count), 2);
    sum += std::sqrt(variance / static_cast<double>(count));
  }
  return sum / static_cast<double>(shares.size());
}

/// scikit-learn's StratifiedGroupKFold without shuffling, line by line.
Parts of_scikit_learn(const Table& table, std::size_t folds) {
  std::map<std::int32_t, std::map<std::int32_t, double>> counts;
  std::map<std::int32_t, double> totals;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    ++counts[table.groups[i]][table.labels[i]];
    ++totals[table.labels[i]];
  }
  const auto classes = static_cast<double>(totals.size());
  std::vector<std::pair<double, std::int32_t>> order;
  for (auto& [group, of] : counts) {
    double sum = 0, squares = 0;
    for (const auto& [label, total] : totals) {
      sum += of[label];
      squares += of[label] * of[label];
    }
    order.emplace_back(-std::sqrt(squares / classes - sum * sum / classes / classes), group);
  }
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
  std::vector<std::map<std::int32_t, double>> in_fold(folds);
  std::map<std::int32_t, std::size_t> fold_of;
  for (const auto& [spread, group] : order) {
    double least = std::numeric_limits<double>::infinity(), fewest = least;
    std::size_t best = 0;
    for (std::size_t f = 0; f < folds; ++f) {
      for (const auto& [label, rows] : counts[group]) in_fold[f][label] += rows;
      double mean = 0, rows_in_fold = 0;
      for (const auto& [label, total] : totals) {
        double sum = 0, squares = 0;
        for (auto& fold : in_fold) {
          sum += fold[label] / total;
          squares += std::pow(fold[label] / total, 2);
        }
        const auto k = static_cast<double>(folds);
        mean += std::sqrt(std::max(squares / k - sum * sum / k / k, 0.0)) / classes;
        rows_in_fold += in_fold[f][label];
      }
      for (const auto& [label, rows] : counts[group]) in_fold[f][label] -= rows;
      const bool close = std::abs(mean - least) <= 1e-8 + 1e-5 * least;
      if (mean < least || (close && rows_in_fold < fewest)) {
        best = f;
        least = mean;
        fewest = rows_in_fold;
      }
    }
    for (const auto& [label, rows] : counts[group]) in_fold[best][label] += rows;
    fold_of[group] = best;
  }
  Parts parts;
  for (const std::int32_t group : table.groups) parts.push_back(fold_of[group]);
  return parts;
}

/// The least imbalance of all distributions of a few groups.
double least_imbalance(const Table& table, std::size_t folds) {
  const std::set<std::int32_t> all(table.groups.begin(), table.groups.end());
  const std::vector<std::int32_t> groups(all.begin(), all.end());
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> fold(groups.size());
  for (;;) {
    Parts parts;
    for (const std::int32_t group : table.groups)
      parts.push_back(
          fold[static_cast<std::size_t>(std::ranges::lower_bound(groups, group) - groups.begin())]);
    least = std::min(least, imbalance(table.labels, parts, folds));
    std::size_t g = 0;
    while (g < fold.size() && ++fold[g] == folds) fold[g++] = 0;
    if (g == fold.size()) return least;
  }
}

}  // namespace

TEST_CASE("no group is in two parts, and no part is empty") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const std::size_t folds = 2 + seed % 5;
    const Table table = random_table(seed, folds + seed % 17, 1 + seed % 4, 12);
    const std::vector<double> shares(folds, 1.0);
    const Parts parts = deal_groups(table.labels, table.groups, shares, Random(seed));
    REQUIRE(parts.size() == table.labels.size());
    CHECK(groups_are_whole(table.groups, parts));
    CHECK(std::set(parts.begin(), parts.end()).size() == folds);
    CHECK(parts == deal_groups(table.labels, table.groups, shares, Random(seed)));
  }
}

TEST_CASE("classes are balanced as by scikit-learn's StratifiedGroupKFold, or better") {
  double ours = 0, theirs = 0;
  std::size_t worse = 0, better = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t folds = 2 + seed % 9;
    const Table table = random_table(seed, 4 * folds + seed % 40, 2 + seed % 4, 30);
    const std::vector<double> shares(folds, 1.0);
    const double here = imbalance(
        table.labels, deal_groups(table.labels, table.groups, shares, Random(seed)), folds);
    const double there = imbalance(table.labels, of_scikit_learn(table, folds), folds);
    ours += here;
    theirs += there;
    worse += here > 1.1 * there;
    better += there > 1.1 * here;
  }
  CHECK(ours <= 1.005 * theirs);
  CHECK(worse <= better);
}

TEST_CASE("few groups: never better than the best of all ways, on average near it") {
  double ours = 0, theirs = 0, least = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Table table = random_table(seed, 7, 2, 20);
    const std::vector<double> shares(3, 1.0);
    const double best = least_imbalance(table, 3);
    const double found =
        imbalance(table.labels, deal_groups(table.labels, table.groups, shares, Random(seed)), 3);
    CHECK(found >= best - 1e-12);
    ours += found;
    theirs += imbalance(table.labels, of_scikit_learn(table, 3), 3);
    least += best;
  }
  CHECK(ours <= 1.01 * theirs);
  CHECK(ours < 1.6 * least);
}

TEST_CASE(
    "groups of one size and class are spread evenly, and the seed decides which go together") {
  Table table;
  for (std::int32_t g = 0; g < 20; ++g)
    for (int i = 0; i < 3; ++i) {
      table.labels.push_back(g % 2);
      table.groups.push_back(g);
    }
  const auto dealt = [&](std::uint64_t seed) {
    return parts_by_group(table.labels, table.groups, 5, Random(seed), "");
  };
  CHECK(imbalance(table.labels, dealt(1), 5) == doctest::Approx(0));
  CHECK(dealt(1) != dealt(2));
}

TEST_CASE("other seeds deal groups out otherwise, also where all of them differ") {
  const Table table = random_table(9, 40, 3, 60);
  const auto dealt = [&](std::uint64_t seed) {
    return parts_by_group(table.labels, table.groups, 5, Random(seed), "");
  };
  // Whether two rows are in one part.
  const auto together = [](const Parts& parts) {
    std::vector<bool> all;
    for (std::size_t i = 1; i < parts.size(); ++i) all.push_back(parts[i] == parts[0]);
    return all;
  };
  CHECK(together(dealt(1)) != together(dealt(2)));
  CHECK(together(dealt(2)) != together(dealt(3)));
}

TEST_CASE("parts of other sizes: a third and two thirds") {
  const Table table = random_table(5, 90, 3, 10);
  const std::vector<double> shares = {2, 1};
  const Parts parts = deal_groups(table.labels, table.groups, shares, Random(1));
  CHECK(groups_are_whole(table.groups, parts));
  for (std::int32_t c = 0; c < 3; ++c) {
    double all = 0, second = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (table.labels[i] == c) {
        ++all;
        second += parts[i] == 1 ? 1 : 0;
      }
    CHECK(second / all == doctest::Approx(1 / 3.0).epsilon(0.05));
  }
}

TEST_CASE("no part gets all groups of a class that has several") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Table table = random_table(seed, 12, 2, 10);
    // A rare class: one row in each of two groups.
    for (const std::int32_t group : {1000, 2000}) {
      table.labels.push_back(2);
      table.groups.push_back(group);
    }
    const Parts parts = parts_by_group(table.labels, table.groups, 3, Random(seed), "");
    CHECK(parts[parts.size() - 1] != parts[parts.size() - 2]);
  }
}

TEST_CASE("the only group of a class is in no part") {
  const Numbers labels = {0, 0, 1, 1, 0, 0, 1, 2, 0, -1};
  const Numbers groups = {1, 1, 2, 2, 3, 3, 4, 4, 5, 6};
  CHECK(classes_of_one_group(labels, groups) == Numbers{2});
  CHECK(classes_never_held_out(labels, groups) == Numbers{2});
  const Parts parts = parts_by_group(labels, groups, 2, Random(1), "");
  for (std::size_t i = 0; i < labels.size(); ++i) CHECK((parts[i] == no_part) == (groups[i] == 4));
  // Persons that are compared in pairs, each a group of its own.
  const Numbers persons = {0, 0, 1, 1, 2, 2};
  CHECK(classes_of_one_group(persons, persons) == Numbers{0, 1, 2});
  CHECK(classes_never_held_out(persons, persons).empty());
  for (const std::size_t part : parts_by_group(persons, persons, 3, Random(1), ""))
    CHECK(part != no_part);
}

TEST_CASE("fewer groups than parts are refused") {
  const Numbers labels = {0, 1, 0, 1}, groups = {5, 5, 6, 6};
  CHECK_THROWS_WITH_AS(parts_by_group(labels, groups, 3, Random(1), "lower 'folds' of select"),
                       "3 folds by group need at least as many groups, but the training rows are "
                       "of 2; lower 'folds' of select",
                       Error);
  const Numbers more = {0, 1, 0, 1, 2}, of = {5, 5, 6, 6, 7};
  CHECK_THROWS_WITH_AS(parts_by_group(more, of, 3, Random(1), "lower folds"),
                       "3 folds by group need at least as many groups, but the training rows are "
                       "of 2 besides 1 group that every fold has to learn from, as a class has no "
                       "other; lower folds",
                       Error);
}

}  // namespace row_groups_test
