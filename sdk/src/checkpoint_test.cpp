// SPDX-License-Identifier: MIT
#include "semblance/checkpoint.hpp"

#include <doctest/doctest.h>

#include <bit>

#include "semblance/checkpoint_testing.hpp"

namespace checkpoint_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

enum class Mistake { none, begins_again, forgets_a_sum, keeps_own_part };

/// A model of a training: ten steps, each of which adds the values of all ranks to a running sum,
/// which must be saved.
std::string add_up(Context& context, Mistake mistake = Mistake::none) {
  const RowParts parts(9000);
  double sum = 0.1;
  std::int64_t step = 0;
  Checkpoint& checkpoint = context.checkpoint();
  if (const StateReader* kept = checkpoint.kept(); kept && mistake != Mistake::begins_again) {
    step = kept->integer("step");
    if (mistake != Mistake::forgets_a_sum) sum = kept->number("sum");
    if (mistake == Mistake::keeps_own_part && context.collectives().rank() > 0) sum += 1;
  }
  while (step < 10) {
    double total = 0;
    sum_over_parts(context, parts, std::span(&total, 1),
                   [&](std::size_t part, std::span<double> sums) {
                     sums[0] += 1e-3 * static_cast<double>(part * parts.rows_of(part));
                   });
    sum = sum * 0.7 + total;
    ++step;
    if (checkpoint.due())
      checkpoint.keep([&](StateWriter& state) {
        state.integer("step", step);
        state.number("sum", sum);
      });
  }
  return std::to_string(std::bit_cast<std::uint64_t>(sum));
}

CutOffTraining cut_off(const std::vector<std::size_t>& ranks, Interruptions when,
                       Mistake mistake = Mistake::none) {
  return learn_cut_off(ranks, when, [&](Context& context) { return add_up(context, mistake); });
}

}  // namespace

TEST_CASE("a context without a checkpoint is never due, and has nothing kept") {
  TestContext context;
  CHECK_FALSE(context.checkpoint().due());
  CHECK(context.checkpoint().kept() == nullptr);
  context.checkpoint().keep([](StateWriter&) { FAIL("nothing is to be written"); });
}

TEST_CASE("a training that is cut off ends with the bits of one that is not") {
  TestContext context;
  const std::string expected = add_up(context);
  CHECK(cut_off({0}, {}).outcome == expected);
  CHECK(cut_off({0}, {}).attempts == 1);
  const auto often = cut_off({0}, {.keep_every = 1, .cut_off_at = 2});
  CHECK(often.outcome == expected);
  CHECK(often.attempts == 10);
  CHECK(often.went_on == 9);
  CHECK(often.kept == 10);
  CHECK(cut_off({3}, {.keep_every = 2, .cut_off_at = 5}).outcome == expected);
  CHECK(cut_off({0, 3, 1, 8}, {.keep_every = 1, .cut_off_at = 3}).outcome == expected);
}

TEST_CASE("a training that does not go on right is found out") {
  TestContext context;
  const std::string expected = add_up(context);
  const Interruptions when{.keep_every = 1, .cut_off_at = 4};
  CHECK(cut_off({0}, when, Mistake::forgets_a_sum).outcome != expected);
  CHECK_THROWS_WITH(cut_off({0}, when, Mistake::begins_again),
                    "a training that is cut off does not get on: it never ends");
  CHECK_THROWS_WITH(cut_off({2}, when, Mistake::keeps_own_part),
                    "ranks come to different outcomes");
}

}  // namespace checkpoint_test
