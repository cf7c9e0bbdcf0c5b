// SPDX-License-Identifier: MIT
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::sampled_test {
namespace {

using namespace testing;

/// 20 training samples of four classes, 8 test samples.
LabelledRows mixed() {
  LabelledRows e{std::vector<std::int32_t>(28), 20};
  for (std::size_t i = 0; i < 28; ++i) e.labels[i] = static_cast<std::int32_t>(i % 4);
  return e;
}

TEST_CASE("all positive pairs are taken, and negative ones fill up the number") {
  const LabelledRows data = mixed();
  TestContext context(1, 3), again(2, 3), other(1, 4);
  auto pairs = make_component<Pairs>("pairs/sampled", {{"count", std::int64_t{100}}});
  const auto chosen = pairs->select(data.view(), context);
  const auto train = chosen.train.expanded();
  REQUIRE(train.size() == 100);
  CHECK(distinct(train));
  CHECK(std::ranges::count_if(train, [](const Pair& p) { return p.label > 0; }) == 4 * 15);
  for (const Pair& p : train) {
    CHECK(p.first < 20);
    CHECK(p.second < 20);
    CHECK(p.label == (p.first % 4 == p.second % 4 ? 1 : -1));
  }
  CHECK(chosen.test.size() == 28);
  CHECK(pairs->select(data.view(), again).train.expanded() == train);
  CHECK(pairs->select(data.view(), other).train.expanded() != train);
}

TEST_CASE("test pairs can be sampled too") {
  const LabelledRows data = mixed();
  TestContext context;
  auto pairs = make_component<Pairs>(
      "pairs/sampled", {{"count", std::int64_t{100}}, {"test_count", std::int64_t{10}}});
  const auto test = pairs->select(data.view(), context).test.expanded();
  CHECK(test.size() == 10);
  CHECK(std::ranges::all_of(test, [](const Pair& p) { return p.first >= 20 && p.second >= 20; }));
  CHECK(std::ranges::count_if(test, [](const Pair& p) { return p.label > 0; }) == 4);
}

TEST_CASE("a list of pairs that does not fit into memory is refused") {
  TestContext context;
  auto pairs = make_component<Pairs>("pairs/sampled", {{"count", std::int64_t{100}}});
  context.budget = 100 * sizeof(Pair);
  CHECK(pairs->select(mixed().view(), context).train.size() == 100);
  --context.budget;
  CHECK_THROWS_WITH_AS(pairs->select(mixed().view(), context),
                       doctest::Contains("a list of 100 pairs takes"), MemoryError);
}

TEST_CASE("where there are not as many pairs all are taken") {
  TestContext context;
  const auto chosen = make_component<Pairs>("pairs/sampled")->select(mixed().view(), context);
  CHECK(!chosen.train.is_list());
  CHECK(chosen.train.size() == 210);
}

TEST_CASE("a number that leaves no room for negative pairs is refused") {
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_component<Pairs>("pairs/sampled", {{"count", std::int64_t{50}}})
          ->select(mixed().view(), context),
      "there are 60 positive pairs, which leaves no room for negative ones in 50; raise count, or "
      "let the source limit the rows per class",
      Error);
  const auto select = [&](std::int64_t count) {
    return make_component<Pairs>("pairs/sampled", {{"count", count}})
        ->select(mixed().view(), context);
  };
  CHECK_THROWS_WITH_AS(select(60), doctest::Contains("no room for negative ones in 60"), Error);
  CHECK(select(61).train.size() == 61);
}

}  // namespace
}  // namespace semblance::pairs::sampled_test
