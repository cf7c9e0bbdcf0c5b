// SPDX-License-Identifier: MIT
#include "runtime/sources/folds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "semblance/error.hpp"
#include "semblance/state.hpp"

namespace folds_test {

using namespace semblance;

namespace {

/// 23 training samples of three classes, 4 test samples; each sample's value is its number.
class Numbered : public Dataset {
 public:
  Numbered() {
    outline_.layout = Layout::vector(1);
    outline_.train_rows = 23;
    outline_.test_rows = 4;
    outline_.classes = {"a", "b", "c"};
    for (std::int32_t i = 0; i < 27; ++i) labels_.push_back(i % 5 == 0 ? 2 : i % 2);
    for (int i = 0; i < 27; ++i) weights_.push_back(i + 0.5);
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> weights() const noexcept override { return weights_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) out.row(i)[0] = static_cast<float>(first + i);
  }
  std::span<const std::int32_t> groups() const noexcept override { return groups_; }
  std::size_t bytes() const noexcept override { return 0; }
  std::int64_t number(std::size_t row) const override {
    return 100 + static_cast<std::int64_t>(row);
  }
  std::string name(std::size_t row) const override { return "row " + std::to_string(row); }

 private:
  std::vector<double> weights_;

 protected:
  Outline outline_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> groups_;
};

/// The same samples in groups of two to five; the groups of test samples are unknown.
class Grouped : public Numbered {
 public:
  Grouped() {
    for (std::int32_t i = 0; i < 23; ++i) groups_.push_back(i * 7 % 23 / 3);
    groups_.resize(27, -1);
  }
};

/// The same samples with two numbers each to predict, of which the first has ties.
class Measured : public Numbered {
 public:
  explicit Measured(bool grouped = false) {
    outline_.classes.clear();
    outline_.targets = {"price", "age"};
    labels_.assign(27, -1);
    for (int i = 0; i < 27; ++i) {
      targets_.push_back(i * 7 % 23 / 2);
      targets_.push_back(1000 + i);
    }
    for (std::int32_t i = 0; grouped && i < 23; ++i) groups_.push_back(i * 7 % 23 / 3);
    if (grouped) groups_.resize(27, -1);
  }
  std::span<const double> targets() const noexcept override { return targets_; }

 private:
  std::vector<double> targets_;
};

std::vector<std::int64_t> numbers_of(const Dataset& data) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < data.outline().rows(); ++i) numbers.push_back(data.number(i));
  return numbers;
}

std::vector<float> read_all(const Dataset& data) {
  FloatMatrix values(data.outline().rows(), 1);
  data.read(0, values.view());
  return values.values;
}

}  // namespace

TEST_CASE("every training row is held out by one fold and learned from in all others") {
  const auto all = std::make_shared<Numbered>();
  for (const std::size_t count : {2, 3, 5, 23}) {
    CAPTURE(count);
    std::multiset<std::int64_t> held;
    for (std::size_t f = 0; f < count; ++f) {
      const FoldedDataset fold(all, {f, count, 7});
      const auto train = fold.outline().train_rows;
      CHECK(fold.outline().rows() == 23);
      const auto numbers = numbers_of(fold);
      std::vector<std::int64_t> rows;
      for (const std::int64_t number : numbers) rows.push_back(number - 100);
      CHECK(fold.outline().numbered_rows == 23);
      for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(fold.name(i) == "row " + std::to_string(rows[i]));
      REQUIRE(fold.weights().size() == rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(fold.weights()[i] == static_cast<double>(rows[i]) + 0.5);
      CHECK(std::set<std::int64_t>(rows.begin(), rows.end()).size() == 23);
      held.insert(rows.begin() + static_cast<std::ptrdiff_t>(train), rows.end());
      CHECK(std::ranges::is_sorted(std::span(rows).first(train)));
      CHECK(std::ranges::is_sorted(std::span(rows).subspan(train)));
      const auto values = read_all(fold);
      for (std::size_t i = 0; i < 23; ++i) {
        CHECK(values[i] == static_cast<float>(rows[i]));
        CHECK(fold.labels()[i] == all->labels()[static_cast<std::size_t>(rows[i])]);
      }
    }
    CHECK(held.size() == 23);
    CHECK(std::set<std::int64_t>(held.begin(), held.end()).size() == 23);
  }
}

TEST_CASE("classes are spread evenly over the folds, and the sizes need no labels") {
  const auto all = std::make_shared<Numbered>();
  std::size_t smallest = 23, largest = 0;
  std::map<std::int32_t, std::set<std::int64_t>> counts;
  for (std::size_t f = 0; f < 4; ++f) {
    const FoldedDataset fold(all, {f, 4, 1});
    CHECK(folded(all->outline(), {f, 4, 1}).test_rows == fold.outline().test_rows);
    smallest = std::min(smallest, fold.outline().test_rows);
    largest = std::max(largest, fold.outline().test_rows);
    const auto held = fold.labels().subspan(fold.outline().train_rows);
    for (std::int32_t c = 0; c < 3; ++c) counts[c].insert(std::ranges::count(held, c));
  }
  CHECK(largest - smallest <= 1);
  for (const auto& [label, sizes] : counts) CHECK(*sizes.rbegin() - *sizes.begin() <= 1);
}

TEST_CASE("the only row of a class is learned from by every fold") {
  std::vector<std::int32_t> labels(23);
  for (std::size_t i = 0; i < 23; ++i) labels[i] = i % 3 == 0 ? 1 : 0;
  labels[4] = 2;
  labels[17] = 3;
  labels[20] = -1;  // a sample without a class belongs to none of them
  CHECK(classes_of_one_row(labels) == std::vector<std::int32_t>{2, 3});
  for (const std::size_t count : {2, 5, 23})
    for (std::size_t f = 0; f < count; ++f) {
      const auto order = fold_rows(labels, {}, {f, count, 7}).rows;
      const std::size_t test_rows = (23 - f + count - 1) / count;
      const std::span<const std::int64_t> learned(order.data(), 23 - test_rows);
      CHECK(std::set<std::int64_t>(order.begin(), order.end()).size() == 23);
      for (const std::int64_t single : {4, 17})
        CHECK(std::ranges::find(learned, single) != learned.end());
      CHECK(std::ranges::is_sorted(learned));
    }
  // Where most classes have one sample, as persons of pairs may, folds are unchanged.
  std::vector<std::int32_t> persons = {0, 1, 2, 3, 3, 3};
  CHECK(classes_of_one_row(persons).empty());
}

TEST_CASE("the seed decides the partition") {
  const auto all = std::make_shared<Numbered>();
  const auto held = [&](std::uint64_t seed) {
    const FoldedDataset fold(all, {0, 3, seed});
    return numbers_of(fold);
  };
  CHECK(held(1) == held(1));
  CHECK(held(1) != held(2));
}

TEST_CASE("training rows that are set aside are test rows, with their numbers and labels") {
  const auto all = std::make_shared<Numbered>();
  const std::vector<std::int64_t> aside = {2, 3, 22};
  const RearrangedRows data(all, with_set_aside(all->outline(), 3),
                            rows_with_set_aside(all->outline(), aside));
  CHECK(data.outline().train_rows == 20);
  CHECK(data.outline().test_rows == 7);
  CHECK(data.outline().numbered_rows == 23);
  const auto numbers = numbers_of(data);
  CHECK(std::ranges::is_sorted(std::span(numbers).first(20)));
  CHECK(std::vector(numbers.begin() + 20, numbers.end()) ==
        std::vector<std::int64_t>{102, 103, 122, 123, 124, 125, 126});
  const auto values = read_all(data);
  for (std::size_t i = 0; i < 27; ++i) {
    CHECK(values[i] == static_cast<float>(numbers[i] - 100));
    CHECK(data.labels()[i] == all->labels()[static_cast<std::size_t>(numbers[i] - 100)]);
  }
  // A fold of them excludes all test samples, and its samples retain their numbers.
  const FoldedDataset fold(std::make_shared<RearrangedRows>(data), {1, 4, 3});
  CHECK(fold.outline().rows() == 20);
  CHECK(fold.outline().numbered_rows == 23);
  for (const std::int64_t number : numbers_of(fold))
    CHECK(std::ranges::find(aside, number - 100) == aside.end());
}

TEST_CASE("leaving each row out, all training rows are learned from and tested") {
  const auto all = std::make_shared<Numbered>();
  const Fold fold{0, 1, 0, true};
  CHECK(folded(all->outline(), fold).train_rows == 23);
  CHECK(folded(all->outline(), fold).test_rows == 23);
  const FoldedDataset data(all, fold);
  CHECK(data.outline().numbered_rows == 23);
  const auto values = read_all(data);
  for (std::size_t i = 0; i < 46; ++i) {
    CHECK(values[i] == static_cast<float>(i % 23));
    CHECK(data.number(i) == 100 + static_cast<std::int64_t>(i % 23));
    CHECK(data.labels()[i] == all->labels()[i % 23]);
  }
  Outline one = all->outline();
  one.train_rows = 1;
  CHECK_THROWS_WITH_AS(
      folded(one, fold),
      "leaving out one row at a time needs at least 2 training rows, but there are 1", Error);
}

TEST_CASE("a fold within a fold holds out rows of those that the outer one learns from") {
  const auto all = std::make_shared<Numbered>();
  for (const std::size_t o : {0, 1, 2}) {
    const auto outer = std::make_shared<FoldedDataset>(all, Fold{o, 3, 7});
    const auto outer_numbers = numbers_of(*outer);
    const std::set<std::int64_t> learned(
        outer_numbers.begin(),
        outer_numbers.begin() + static_cast<std::ptrdiff_t>(outer->outline().train_rows));
    std::multiset<std::int64_t> held;
    for (const std::size_t i : {0, 1, 2, 3}) {
      Fold inner{i, 4, 9};
      inner.within = {{o, 3, 7}};
      const FoldedDataset data(outer, inner);
      const Outline announced = folded_within(all->outline(), inner, "the calibrator");
      CHECK(data.outline().train_rows == announced.train_rows);
      CHECK(data.outline().test_rows == announced.test_rows);
      CHECK(announced.rows() == learned.size());
      const auto numbers = numbers_of(data);
      for (const std::int64_t number : numbers) CHECK(learned.contains(number));
      held.insert(numbers.begin() + static_cast<std::ptrdiff_t>(announced.train_rows),
                  numbers.end());
    }
    CHECK(std::ranges::equal(held, learned));
  }
}

TEST_CASE("every fold of a calibrator learns from all classes of two training rows or more") {
  struct Rare final : Numbered {
    explicit Rare(std::size_t rows) {
      for (std::size_t i = 0; i < 23; ++i)
        if (labels_[i] == 2 && i >= 5 * rows) labels_[i] = 0;
    }
  };
  const auto rare = std::make_shared<Rare>(2);
  for (std::size_t f = 0; f < 6; ++f) {
    CHECK_NOTHROW(check_class_sizes(*rare, {f, 6, 1}));
    const FoldedDataset fold(rare, {f, 6, 1});
    CHECK(std::ranges::count(fold.labels().first(fold.outline().train_rows), 2) >= 1);
  }
  CHECK_THROWS_WITH_AS(check_class_sizes(Rare(1), {0, 6, 1}),
                       "class 'c' has a single training row, but the calibrator holds out each row "
                       "once, and what is trained without it needs rows of every class; give more "
                       "rows of that class, or leave it out",
                       Error);
  const Numbered all;
  CHECK_THROWS_WITH_AS(folded_within(all.outline(), {0, 24, 1}, "the calibrator"),
                       "24 folds need at least as many training rows, but there are 23; "
                       "lower 'folds' of the calibrator",
                       Error);
}

TEST_CASE("more folds than training rows") {
  CHECK_THROWS_WITH_AS(folded(Numbered().outline(), {0, 24, 1}),
                       "24 folds need at least as many training rows, but there are 23; "
                       "lower 'folds' of select",
                       Error);
}

TEST_CASE("rows of a group are held out by the same fold, unless folds are by row") {
  const auto all = std::make_shared<Grouped>();
  std::multiset<std::int64_t> held;
  bool divided = false;
  for (std::size_t f = 0; f < 3; ++f) {
    const FoldedDataset fold(all, {f, 3, 7});
    const auto train = fold.outline().train_rows;
    CHECK(fold.outline().rows() == 23);
    CHECK(fold.outline().numbered_rows == 23);
    REQUIRE(fold.groups().size() == 23);
    const std::set<std::int32_t> learned(
        fold.groups().begin(), fold.groups().begin() + static_cast<std::ptrdiff_t>(train));
    for (std::size_t i = train; i < 23; ++i) CHECK(!learned.contains(fold.groups()[i]));
    const auto numbers = numbers_of(fold);
    for (std::size_t i = 0; i < 23; ++i)
      CHECK(fold.groups()[i] == all->groups()[static_cast<std::size_t>(numbers[i] - 100)]);
    held.insert(numbers.begin() + static_cast<std::ptrdiff_t>(train), numbers.end());
    Fold by_row{f, 3, 7};
    by_row.by_row = true;
    const FoldedDataset rows(all, by_row), plain(std::make_shared<Numbered>(), {f, 3, 7});
    CHECK(numbers_of(rows) == numbers_of(plain));
    divided = divided || numbers != numbers_of(rows);
  }
  CHECK(held.size() == 23);
  CHECK(std::set(held.begin(), held.end()).size() == 23);
  CHECK(divided);
}

TEST_CASE("a fold by group within another keeps groups together, too") {
  const auto all = std::make_shared<Grouped>();
  const auto outer = std::make_shared<FoldedDataset>(all, Fold{1, 3, 7});
  const FoldedDataset inner(outer, {0, 2, 9});
  const auto train = inner.outline().train_rows;
  CHECK(inner.outline().rows() == outer->outline().train_rows);
  for (std::size_t i = train; i < inner.outline().rows(); ++i)
    for (std::size_t k = 0; k < train; ++k) CHECK(inner.groups()[i] != inner.groups()[k]);
}

TEST_CASE("groups that cannot be held out") {
  const auto all = std::make_shared<Grouped>();
  CHECK_THROWS_WITH_AS(FoldedDataset(all, {0, 9, 1}),
                       "9 folds by group need at least as many groups, but the training rows are "
                       "of 8; lower 'folds' of select",
                       Error);
  CHECK_NOTHROW(check_class_sizes(*all, {0, 4, 1}));
  class Alone final : public Grouped {
   public:
    Alone() {
      for (std::size_t i = 0; i < 23; ++i) groups_[i] = labels()[i] == 2 ? 50 : groups_[i];
    }
  };
  CHECK_THROWS_WITH_AS(
      check_class_sizes(Alone(), {0, 4, 1}),
      "class 'c' has training rows in a single group, but the calibrator holds rows out by group, "
      "and each fold needs rows of every class; give rows of that class in more groups, or set "
      "'folds_by: row' of the calibrator",
      Error);
}

TEST_CASE(
    "numbers to predict are spread over the folds by their quantiles, and go with their rows") {
  const auto all = std::make_shared<Measured>();
  std::vector<std::pair<double, std::int64_t>> ranked;
  for (std::int64_t i = 0; i < 23; ++i)
    ranked.emplace_back(all->targets()[2 * static_cast<std::size_t>(i)], i);
  std::ranges::sort(ranked);
  for (const std::size_t count : {2, 4, 5, 23}) {
    CAPTURE(count);
    std::vector<std::size_t> fold_of(23, count);
    for (std::size_t f = 0; f < count; ++f) {
      const FoldedDataset fold(all, {f, count, 7});
      CHECK(folded(all->outline(), {f, count, 7}).test_rows == fold.outline().test_rows);
      CHECK(fold.outline().targets == all->outline().targets);
      const auto numbers = numbers_of(fold);
      REQUIRE(fold.targets().size() == 2 * numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto row = static_cast<std::size_t>(numbers[i] - 100);
        CHECK(fold.targets()[2 * i] == all->targets()[2 * row]);
        CHECK(fold.targets()[2 * i + 1] == 1000 + static_cast<double>(row));
        if (i >= fold.outline().train_rows) fold_of[row] = f;
      }
    }
    // Rows of similar targets, as many as there are folds, are held out by one fold each.
    for (std::size_t s = 0; s + 1 < 23 / count; ++s) {
      std::set<std::size_t> held_by;
      for (std::size_t k = 0; k < count; ++k)
        held_by.insert(fold_of[static_cast<std::size_t>(ranked[s * count + k].second)]);
      CHECK(held_by.size() == count);
      CHECK(!held_by.contains(count));
    }
    CHECK(std::ranges::count(fold_of, count) == 0);
  }
  CHECK_NOTHROW(check_class_sizes(*all, {0, 4, 1}));
  CHECK(numbers_of(FoldedDataset(all, {0, 3, 1})) == numbers_of(FoldedDataset(all, {0, 3, 1})));
  CHECK(numbers_of(FoldedDataset(all, {0, 3, 1})) != numbers_of(FoldedDataset(all, {0, 3, 2})));
}

TEST_CASE("groups with numbers to predict are not divided either") {
  const auto all = std::make_shared<Measured>(true);
  std::multiset<std::int64_t> held;
  for (std::size_t f = 0; f < 3; ++f) {
    const FoldedDataset fold(all, {f, 3, 7});
    const auto train = fold.outline().train_rows;
    CHECK(fold.outline().test_rows >= 5);
    for (std::size_t i = train; i < 23; ++i) {
      held.insert(fold.number(i));
      CHECK(std::ranges::count(fold.groups().first(train), fold.groups()[i]) == 0);
    }
  }
  CHECK(held.size() == 23);
  CHECK(std::set(held.begin(), held.end()).size() == 23);
  CHECK_NOTHROW(check_class_sizes(*all, {0, 4, 1}));
  CHECK_THROWS_WITH_AS(FoldedDataset(all, {0, 9, 1}),
                       "9 folds by group need at least as many groups, but the training rows are "
                       "of 8; lower 'folds' of select",
                       Error);
}

TEST_CASE("numbers to predict of rows set aside, left out one by one, and of folds within folds") {
  const auto all = std::make_shared<Measured>();
  const auto check = [&](const Dataset& data) {
    REQUIRE(data.targets().size() == 2 * data.outline().rows());
    for (std::size_t i = 0; i < data.outline().rows(); ++i)
      CHECK(data.targets()[2 * i + 1] == static_cast<double>(data.number(i) + 900));
  };
  const std::vector<std::int64_t> aside = {2, 3, 22};
  const auto rearranged = std::make_shared<RearrangedRows>(
      all, with_set_aside(all->outline(), 3), rows_with_set_aside(all->outline(), aside));
  check(*rearranged);
  check(FoldedDataset(rearranged, {1, 4, 3}));
  check(FoldedDataset(all, {0, 1, 0, true}));
  check(FoldedDataset(std::make_shared<FoldedDataset>(all, Fold{1, 3, 7}), {0, 2, 9}));
}

}  // namespace folds_test
