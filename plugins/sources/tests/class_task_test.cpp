// SPDX-License-Identifier: MIT
#include "rows/class_task.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "semblance/error.hpp"

namespace class_task_test {

using namespace semblance;
using namespace semblance::sources;

namespace {

/// Classes 0, 10, 20, ... with 8 + c examples each.
ClassPool pool(std::int64_t classes) {
  ClassPool pool;
  for (std::int64_t c = 0; c < classes; ++c) pool.classes.push_back(10 * c);
  pool.room = [](std::int64_t c) { return static_cast<std::uint64_t>(8 + c); };
  pool.describe = [](std::int64_t c) { return "number " + std::to_string(c); };
  return pool;
}

std::set<std::int64_t> as_set(const std::vector<std::int64_t>& v) { return {v.begin(), v.end()}; }

/// Checks that no class appears twice, and no example twice in a class, within a set or across
/// both.
void check_distinct(const DrawnTask& task, const SetSize& train, const SetSize& test) {
  CHECK(as_set(task.train.classes).size() == train.classes);
  CHECK(as_set(task.test.classes).size() == test.classes);
  std::map<std::int64_t, std::set<std::uint64_t>> seen;
  std::map<std::int64_t, std::size_t> count;
  for (const auto* set : {&task.train, &task.test})
    for (std::size_t k = 0; k < set->classes.size(); ++k) {
      CHECK(set->examples[k].size() == (set == &task.train ? train : test).examples);
      count[set->classes[k]] += set->examples[k].size();
      for (const auto e : set->examples[k]) {
        CHECK(e < static_cast<std::uint64_t>(8 + set->classes[k]));
        seen[set->classes[k]].insert(e);
      }
    }
  for (const auto& [c, examples] : seen) CHECK(examples.size() == count[c]);
}

const SetSize train{12, 5}, test{7, 3};

}  // namespace

TEST_CASE("the tasks share classes as section 4 says, and no example") {
  for (const bool test_first : {false, true}) {
    const auto same = draw_task(pool(30), PairTask::interexample, train, test, 1, 2, test_first);
    check_distinct(same, train, test);
    for (const auto c : same.test.classes) CHECK(as_set(same.train.classes).contains(c));
    const auto other = draw_task(pool(30), PairTask::interclass, train, test, 1, 2, test_first);
    check_distinct(other, train, test);
    for (const auto c : other.test.classes) CHECK(!as_set(other.train.classes).contains(c));
    const auto pairs = draw_task(pool(30), PairTask::pair, train, test, 1, 2, test_first);
    CHECK(pairs.test.classes.empty());
    CHECK(pairs.train.classes == draw_set(pool(30), train, test_first ? 2 : 1).classes);
  }
}

TEST_CASE("what is drawn first does not depend on the size of the other set") {
  for (const auto task : {PairTask::interexample, PairTask::interclass}) {
    const auto a = draw_task(pool(30), task, train, test, 1, 2, false);
    const auto b = draw_task(pool(30), task, train, {3, 2}, 1, 9, false);
    CHECK(a.train.classes == b.train.classes);
    CHECK(a.train.examples == b.train.examples);
    const auto c = draw_task(pool(30), task, train, test, 1, 2, true);
    const auto d = draw_task(pool(30), task, {15, 2}, test, 7, 2, true);
    CHECK(c.test.classes == d.test.classes);
    CHECK(c.test.examples == d.test.examples);
    CHECK(c.train.classes != d.train.classes);
  }
}

TEST_CASE("a larger set contains the smaller one of the same seed") {
  const auto small = draw_set(pool(30), train, 4), large = draw_set(pool(30), {20, 8}, 4);
  for (std::size_t k = 0; k < train.classes; ++k) {
    CHECK(small.classes[k] == large.classes[k]);
    CHECK(
        std::equal(small.examples[k].begin(), small.examples[k].end(), large.examples[k].begin()));
  }
}

TEST_CASE("classes and examples are equally likely") {
  std::map<std::int64_t, int> classes;
  std::map<std::uint64_t, int> examples;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto set = draw_set(pool(6), {2, 4}, seed);
    for (std::size_t k = 0; k < 2; ++k) {
      ++classes[set.classes[k]];
      if (set.classes[k] == 0)
        for (const auto e : set.examples[k]) ++examples[e];
    }
  }
  for (const auto& [c, n] : classes) CHECK(std::abs(n - 1000) < 110);  // four deviations
  CHECK(examples.size() == 8);
  for (const auto& [e, n] : examples) CHECK(std::abs(n - classes[0] / 2) < 80);
}

TEST_CASE("a class can be emptied, but not more") {
  const auto all = draw_set(pool(1), {1, 8}, 3);
  std::vector<std::uint64_t> sorted = all.examples[0], expected(8);
  std::sort(sorted.begin(), sorted.end());
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(sorted == expected);
  CHECK_THROWS_WITH_AS(draw_set(pool(1), {1, 9}, 3),
                       doctest::Contains("class number 0 has 8 distinct examples, but 9"), Error);
  CHECK_THROWS_WITH_AS(draw_task(pool(1), PairTask::interexample, {1, 5}, {1, 4}, 1, 2, false),
                       doctest::Contains("but 9 are requested"), Error);
  CHECK_THROWS_WITH_AS(draw_task(pool(4), PairTask::interclass, {3, 1}, {2, 1}, 1, 2, false),
                       doctest::Contains("only 1 sufficiently large classes are left to draw 2"),
                       Error);
}

}  // namespace class_task_test
