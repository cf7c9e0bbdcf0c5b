// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "runtime/nodes/pairs_node.hpp"
#include "semblance/error.hpp"

namespace pair_task_test {

using namespace semblance;

namespace {

/// Four training samples of a and b, four test samples of a, b, c and c.
const std::vector<std::int32_t> labels = {0, 0, 1, 1, 0, 1, 2, 2};

std::optional<std::string> task(PairSet train, PairSet test) {
  return checked_task({std::move(train), std::move(test)}, 4, labels, {});
}

PairSet all_training_pairs(bool reflexive) {
  return PairSet::all_of({0, 1, 2, 3}, {0, 0, 1, 1}, reflexive);
}

}  // namespace

TEST_CASE("the tested pairs determine the task of pairs") {
  const PairSet train = PairSet::listed({{0, 1, 1}, {1, 2, -1}});
  CHECK(task(train, PairSet::listed({{0, 3, -1}, {2, 3, 1}})) == "pair");
  CHECK(task(train, PairSet::listed({{4, 5, -1}})) == "interexample");
  CHECK(task(train, PairSet::listed({{6, 7, 1}})) == "interclass");
  CHECK(task(train, {}) == std::nullopt);
  CHECK(task(all_training_pairs(false), PairSet::listed({{2, 2, 1}})) == "pair");
}

TEST_CASE("a pair that is trained and tested on is refused, whichever of its rows comes first") {
  const std::vector<std::int64_t> numbers = {10, 11, 12, 13, 0, 1, 2, 3};
  const PairSet train = PairSet::listed({{0, 1, 1}, {1, 2, -1}, {2, 3, 1}});
  CHECK_THROWS_WITH_AS(
      checked_task({train, PairSet::listed({{0, 2, -1}, {2, 1, -1}})}, 4, labels, numbers),
      doctest::Contains(
          "(counted from 0) both to train on and to test on; a pair can be only one of"),
      Error);
  CHECK_THROWS_AS(task(all_training_pairs(false), PairSet::listed({{2, 1, -1}})), Error);
  CHECK_THROWS_AS(task(all_training_pairs(true), PairSet::listed({{2, 2, 1}})), Error);
  CHECK_THROWS_AS(task(all_training_pairs(true), all_training_pairs(false)), Error);
  CHECK_THROWS_AS(task(train, all_training_pairs(false)), Error);
}

TEST_CASE("a test of training rows and of test rows at once is neither task") {
  const PairSet train = PairSet::listed({{0, 1, 1}});
  CHECK_THROWS_WITH_AS(task(train, PairSet::listed({{4, 5, -1}, {1, 4, 1}})),
                       "it tests on training rows (the pair of rows 1 and 4, counted from 0) as "
                       "well as on test rows; test either on pairs of training rows, none of them "
                       "trained on, or on pairs of test rows",
                       Error);
  CHECK_THROWS_AS(task(train, PairSet::all_of({3, 4}, {1, 0}, false)), Error);
}

TEST_CASE("pairs without others are those that the others have not") {
  const PairSet some = PairSet::listed({{2, 0, -1}, {1, 1, 1}});
  CHECK(without(all_training_pairs(true), some).expanded() == std::vector<Pair>{{0, 0, 1},
                                                                                {0, 1, 1},
                                                                                {0, 3, -1},
                                                                                {1, 2, -1},
                                                                                {1, 3, -1},
                                                                                {2, 2, 1},
                                                                                {2, 3, 1},
                                                                                {3, 3, 1}});
  CHECK(!without(all_training_pairs(true), PairSet::listed({{4, 5, -1}})).is_list());
  CHECK(without(some, all_training_pairs(false)).expanded() == std::vector<Pair>{{1, 1, 1}});
}

}  // namespace pair_task_test
