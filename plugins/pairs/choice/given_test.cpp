// SPDX-License-Identifier: MIT
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::given_test {
namespace {

using namespace testing;
using Numbers = std::vector<std::int64_t>;

/// Six training samples of classes a and b alternately, two test samples.
LabelledRows six() { return {{0, 1, 0, 1, 0, 1, 0, 1}, 6}; }

TEST_CASE("the pairs are those that were named, with what was said of them") {
  TestContext context;
  auto given = make_component<Pairs>(
      "pairs/given",
      {{"first", Numbers{0, 4}}, {"second", Numbers{1, 5}}, {"same", Numbers{1, 0}}});
  const LabelledRows rows = six();
  const auto chosen = given->select(rows.view(), context);
  CHECK(chosen.train.expanded() == std::vector<Pair>{{0, 1, 1}, {4, 5, -1}});
  CHECK(chosen.test.expanded() == std::vector<Pair>{{6, 7, -1}});
}

TEST_CASE("where nothing is said, classes tell") {
  TestContext context;
  auto given =
      make_component<Pairs>("pairs/given", {{"first", Numbers{0, 4}}, {"second", Numbers{2, 5}}});
  CHECK(given->select(six().view(), context).train.expanded() ==
        std::vector<Pair>{{0, 2, 1}, {4, 5, -1}});
}

TEST_CASE("a row that is not there is refused") {
  TestContext context;
  auto given =
      make_component<Pairs>("pairs/given", {{"first", Numbers{0}}, {"second", Numbers{6}}});
  CHECK_THROWS_WITH_AS(given->select(six().view(), context),
                       "it names training row 6, but there are 6, counted from 0", Error);
}

TEST_CASE("lists of different lengths are refused") {
  CHECK_THROWS_WITH_AS(
      make_component<Pairs>("pairs/given", {{"first", Numbers{0, 1}}, {"second", Numbers{2}}}),
      "'first' names 2 rows and 'second' 1; give one of each for every pair", Error);
  CHECK_THROWS_WITH_AS(
      make_component<Pairs>(
          "pairs/given",
          {{"first", Numbers{0, 1}}, {"second", Numbers{2, 3}}, {"same", Numbers{1}}}),
      "'same' says 1 times what is known of 2 pairs; give one number for every pair, or none",
      Error);
}

TEST_CASE("folds, which number their rows anew, are refused") {
  TestContext context;
  const LabelledRows rows = six();
  PairExamples examples = rows.view();
  examples.validation = true;
  auto given =
      make_component<Pairs>("pairs/given", {{"first", Numbers{0}}, {"second", Numbers{2}}});
  CHECK_THROWS_WITH_AS(given->select(examples, context),
                       "it names training rows, which the folds of a cross-validation renumber; "
                       "use pairs/all or pairs/sampled",
                       Error);
}

}  // namespace
}  // namespace semblance::pairs::given_test
