// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <set>

#include "basis_testing.hpp"

namespace semblance::bases::random_rows_test {
namespace {

using namespace testing;

TEST_CASE("random draws distinct rows, the same for the same seed") {
  const LabelledRows data = three_classes();
  auto basis = make_basis("basis/random", {{"count", 10}});
  TestContext first(1, 1), again(2, 1), other(1, 2);
  const auto chosen = basis->select(data.set(), first);
  CHECK(chosen.size() == 10);
  CHECK(std::is_sorted(chosen.begin(), chosen.end()));
  CHECK(std::set(chosen.begin(), chosen.end()).size() == 10);
  CHECK(chosen.front() >= 0);
  CHECK(chosen.back() < 30);
  CHECK(basis->select(data.set(), again) == chosen);
  CHECK(basis->select(data.set(), other) != chosen);
  CHECK(basis->count(30, 3) == 10);
}

TEST_CASE("random draws each row about as often as any other") {
  const LabelledRows data = three_classes();
  auto basis = make_basis("basis/random", {{"count", 10}});
  std::vector<int> drawn(30, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    TestContext context(1, seed);
    for (const auto row : basis->select(data.set(), context)) ++drawn[std::size_t(row)];
  }
  // 1000 expected; the standard deviation is 26.
  for (const int count : drawn) CHECK(std::abs(count - 1000) < 130);
}

TEST_CASE("random takes all rows when asked, and refuses more") {
  const LabelledRows data = three_classes();
  TestContext context;
  CHECK(make_basis("basis/random", {{"count", 30}})->select(data.set(), context).size() == 30);
  CHECK_THROWS_WITH_AS(make_basis("basis/random", {{"count", 31}})->select(data.set(), context),
                       "count requests 31 bases, but there are 30 training rows; lower count, set "
                       "'fewer: all', or train on more data",
                       Error);
}

TEST_CASE("random takes all rows where there are fewer and that is allowed") {
  const LabelledRows data = three_classes();
  TestContext context;
  const auto basis = make_component<Basis>(
      "basis/random", {{"count", std::int64_t{31}}, {"fewer", std::string("all")}});
  CHECK(basis->count(30, 3) == 30);
  CHECK(basis->count(40, 3) == 31);
  CHECK(basis->select(data.set(), context).size() == 30);
}

}  // namespace
}  // namespace semblance::bases::random_rows_test
