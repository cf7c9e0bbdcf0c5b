// SPDX-License-Identifier: MIT
#include "problem_queues.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace semblance::kernel::problem_queues_test {
namespace {

using List = std::vector<std::size_t>;

List pending(const ProblemQueues& queues, std::size_t rank) {
  const auto list = queues.pending(rank);
  return {list.begin(), list.end()};
}

List first(std::size_t count) {
  List all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

TEST_CASE("each rank gets problems one after the other, of about the same cost") {
  const ProblemQueues queues({4, 1, 1, 1, 1, 2, 2}, first(7), 3);
  CHECK(pending(queues, 0) == List{0});
  CHECK(pending(queues, 1) == List{1, 2, 3, 4});
  CHECK(pending(queues, 2) == List{5, 6});
}

TEST_CASE("every problem has one rank, also where there are more ranks than problems") {
  for (const std::size_t ranks : {1U, 2U, 5U, 9U}) {
    const ProblemQueues queues({3, 1, 7, 1, 2}, first(5), ranks);
    List all;
    for (std::size_t r = 0; r < ranks; ++r)
      for (const std::size_t p : pending(queues, r)) all.push_back(p);
    CHECK(all == first(5));
  }
}

TEST_CASE("an idle rank gets problems that no rank has begun, and busy ranks keep fewer") {
  ProblemQueues queues({1, 1, 1, 1, 1, 1, 1, 1}, first(8), 2);
  REQUIRE(pending(queues, 0) == List{0, 1, 2, 3});
  queues.record(0, 4, List{0, 1, 2, 3});
  queues.record(1, 1, List{});
  CHECK(pending(queues, 1) == List{5, 6, 7});
  queues.rebalance();
  CHECK(pending(queues, 0) == List{5, 6});
  CHECK(pending(queues, 1) == List{7});
  queues.rebalance();  // nobody is idle
  CHECK(pending(queues, 0) == List{5, 6});
}

TEST_CASE("no problem after one that failed begins") {
  ProblemQueues queues({1, 1, 1, 1, 1, 1}, first(6), 2);
  queues.record(1, 1, List{});
  queues.drop_from(2);
  CHECK(pending(queues, 0) == List{0, 1});
  CHECK(pending(queues, 1).empty());
}

}  // namespace semblance::kernel::problem_queues_test
