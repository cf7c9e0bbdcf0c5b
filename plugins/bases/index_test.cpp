// SPDX-License-Identifier: MIT
#include "basis_testing.hpp"

namespace semblance::bases::index_test {
namespace {

using namespace testing;

TEST_CASE("index takes the first rows of each class, class after class") {
  const LabelledRows data = three_classes();
  TestContext context;
  auto basis = make_basis("basis/index", {{"per_class", 2}});
  CHECK(basis->select(data.set(), context) == std::vector<std::int64_t>{0, 3, 1, 4, 2, 5});
  CHECK(basis->count(30, 3) == 6);
  CHECK_FALSE(basis->uses_rows());
}

TEST_CASE("classes with too few rows are named with their counts") {
  const LabelledRows data({0, 0, 0, 0, 0}, {0, 0, 0, 1, 2}, 4);
  TestContext context;
  CHECK_THROWS_WITH_AS(make_basis("basis/index", {{"per_class", 2}})->select(data.set(), context),
                       "per_class requests 2 training rows of each class, but 'b' has 1, 'c' has "
                       "1, 'd' has 0; lower per_class or train on more data",
                       Error);
}

TEST_CASE("of many classes with too few rows only five are named") {
  const LabelledRows data({}, {}, 9);
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_basis("basis/index", {{"per_class", 1}})->select(data.set(), context),
      "per_class requests 1 training rows of each class, but 'a' has 0, 'b' has 0, 'c' has 0, 'd' "
      "has 0, 'e' has 0 and 4 more have too few; lower per_class or train on more data",
      Error);
}

TEST_CASE("data without classes, or with a label too many, are refused") {
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_basis("basis/index", {})->select(LabelledRows({1, 2}, {}, 0).set(), context),
      "the training rows have no classes to choose from; use basis/random or basis/all", Error);
  CHECK_THROWS_WITH_AS(make_basis("basis/index", {{"per_class", 1}})
                           ->select(LabelledRows({1, 2}, {0, 1}, 1).set(), context),
                       "training row 1 has label 1, but there are 1 classes", Error);
}

}  // namespace
}  // namespace semblance::bases::index_test
