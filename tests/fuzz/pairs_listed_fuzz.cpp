// SPDX-License-Identifier: MIT
#include <algorithm>

#include "making.hpp"
#include "semblance/pairs.hpp"
#include "semblance/testing.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte with the fold, then the protocol file.
FUZZ_TARGET(pairs_listed) {
  const std::int64_t fold = input.byte() % 4;
  const std::string file = scratch_file("pairs.txt", input.rest());
  const std::vector<std::int32_t> labels = {0, 0, 1, 2, 3, 2, -1};
  const std::vector<std::string> classes = {"a", "b", "c", "d"};
  expect_result_or_error([&] {
    testing::TestContext context(1);
    context.budget = memory;
    const auto listed = component<Pairs>("pairs/listed", {{"path", file}, {"fold", fold}});
    for (const std::int64_t row : listed->set_aside({labels, 4, classes}, context))
      require(row >= 0 && row < 4, "a row set aside that is none to train on");
    const PairSelection chosen = listed->select({labels, 4, classes}, context);
    for (const PairSet* pairs : {&chosen.train, &chosen.test})
      for (const Pair& pair : pairs->list())
        require(std::min(pair.first, pair.second) >= 0 &&
                    std::max(pair.first, pair.second) < std::int32_t(labels.size()),
                "a pair of rows that are not there");
  });
}
