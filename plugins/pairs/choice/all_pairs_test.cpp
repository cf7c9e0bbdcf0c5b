// SPDX-License-Identifier: MIT
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::all_pairs_test {
namespace {

using namespace testing;

const LabelledRows examples{{0, 1, 0, 2, 2, 2}, 3};

TEST_CASE("all training rows are paired, with themselves too; test rows only with others") {
  TestContext context;
  const auto chosen = make_component<Pairs>("pairs/all")->select(examples.view(), context);
  CHECK(!chosen.train.is_list());
  CHECK(chosen.train.size() == 6);
  CHECK(chosen.train.expanded() ==
        std::vector<Pair>{{0, 0, 1}, {0, 1, -1}, {0, 2, 1}, {1, 1, 1}, {1, 2, -1}, {2, 2, 1}});
  CHECK(chosen.test.expanded() == std::vector<Pair>{{3, 4, 1}, {3, 5, 1}, {4, 5, 1}});
}

TEST_CASE("a row is paired with itself nowhere, or everywhere") {
  TestContext context;
  const auto never = make_component<Pairs>("pairs/all", {{"reflexive", std::string("never")}})
                         ->select(examples.view(), context);
  CHECK(never.train.size() == 3);
  CHECK(never.train.expanded().size() == 3);
  const auto always = make_component<Pairs>("pairs/all", {{"reflexive", std::string("always")}})
                          ->select(examples.view(), context);
  CHECK(always.test.size() == 6);
}

TEST_CASE("in the pair task the pairs of the training rows are divided") {
  LabelledRows many{std::vector<std::int32_t>(40), 40};
  for (std::size_t i = 0; i < 40; ++i) many.labels[i] = static_cast<std::int32_t>(i % 4);
  TestContext context(1, 5), again(2, 5), other(1, 6);
  auto pairs = make_component<Pairs>("pairs/all", {{"held_out", 0.25}});
  const auto chosen = pairs->select(many.view(), context);
  const auto train = chosen.train.expanded(), test = chosen.test.expanded();
  CHECK(test.size() == 195);  // a quarter of 40 * 39 / 2
  CHECK(train.size() == 625);
  std::vector<Pair> both = train;
  both.insert(both.end(), test.begin(), test.end());
  CHECK(distinct(both));
  for (const Pair& p : both) CHECK(p.label == (p.first % 4 == p.second % 4 ? 1 : -1));
  CHECK(std::ranges::none_of(test, [](const Pair& p) { return p.first == p.second; }));
  CHECK(pairs->select(many.view(), again).test.expanded() == test);
  CHECK(pairs->select(many.view(), other).test.expanded() != test);
}

TEST_CASE("held-out pairs are drawn evenly") {
  const LabelledRows five{{0, 0, 0, 0, 0}, 5};
  std::vector<int> drawn(25, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    TestContext context(1, seed);
    const auto chosen =
        make_component<Pairs>("pairs/all", {{"held_out", 0.5}})->select(five.view(), context);
    for (const Pair& p : chosen.test.list())
      ++drawn[static_cast<std::size_t>(5 * p.first + p.second)];
  }
  for (int i = 0; i < 5; ++i)  // 1000 expected; the standard deviation is 22
    for (int j = i + 1; j < 5; ++j) CHECK(std::abs(drawn[std::size_t(5 * i + j)] - 1000) < 110);
}

TEST_CASE("of new data all pairs are for testing; labels need not be known") {
  const LabelledRows fresh{{-1, 0, 0}, 0};
  TestContext context;
  const auto chosen =
      make_component<Pairs>("pairs/all", {{"held_out", 0.5}})->select(fresh.view(), context);
  CHECK(chosen.train.size() == 0);
  CHECK(chosen.test.expanded() == std::vector<Pair>{{0, 1, 0}, {0, 2, 0}, {1, 2, 1}});
}

TEST_CASE("what cannot be paired is refused with a reason") {
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_component<Pairs>("pairs/all")->select(LabelledRows{{0, -1}, 2}.view(), context),
      "training row 1 (counted from 0) has no class, so it is unknown which of "
      "its pairs are of the same class; give the source labels",
      Error);
  context.budget = 100;
  CHECK_THROWS_AS(make_component<Pairs>("pairs/all", {{"held_out", 0.5}})
                      ->select(LabelledRows{{0, 1, 0, 1}, 4}.view(), context),
                  Error);
}

}  // namespace
}  // namespace semblance::pairs::all_pairs_test
