// SPDX-License-Identifier: MIT
#include <set>

#include "basis_testing.hpp"

namespace semblance::bases::random_per_class_test {
namespace {

using namespace testing;

TEST_CASE("random_per_class draws as many distinct rows of each class") {
  const LabelledRows data = three_classes();
  auto basis = make_basis("basis/random_per_class", {{"per_class", 4}});
  TestContext first(1, 1), again(2, 1), other(1, 2);
  const auto chosen = basis->select(data.set(), first);
  REQUIRE(chosen.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(chosen[i] % 3 == std::int64_t(i / 4));
  CHECK(std::set(chosen.begin(), chosen.end()).size() == 12);
  CHECK(basis->select(data.set(), again) == chosen);
  CHECK(basis->select(data.set(), other) != chosen);
  CHECK(basis->count(30, 3) == 12);
}

TEST_CASE("random_per_class refuses classes with too few rows") {
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_basis("basis/random_per_class", {{"per_class", 11}})
          ->select(three_classes().set(), context),
      "per_class requests 11 training rows of each class, but 'a' has 10, 'b' has 10, 'c' has 10; "
      "lower per_class or train on more data",
      Error);
}

}  // namespace
}  // namespace semblance::bases::random_per_class_test
