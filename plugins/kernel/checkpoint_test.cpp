// SPDX-License-Identifier: MIT
// A kernel machine whose training is interrupted repeatedly has the same bits as an uninterrupted
// one.
#include <doctest/doctest.h>

#include "ranks_testing.hpp"
#include "semblance/checkpoint_testing.hpp"

namespace semblance::kernel::checkpoint_test {
namespace {

using namespace testing;

std::string learned(const Samples& samples, const Parameters& parameters, Context& context) {
  const MemoryRows all(samples.data.values);
  const OwnRows own(all, context.collectives());
  return train_on("similarity/rbf", own, samples, context, parameters, gaussian).text;
}

/// Checks that a training interrupted after each turn, or after each third one, ends like an
/// uninterrupted one: alone, on three ranks, and on a different number of ranks each time. Returns
/// how often it was resumed.
std::size_t check_goes_on(const Samples& samples, const Parameters& parameters = {}) {
  TestContext context;
  const std::string expected = learned(samples, parameters, context);
  const auto learn = [&](Context& each) { return learned(samples, parameters, each); };
  std::size_t went_on = 0;
  for (const auto& ranks : {std::vector<std::size_t>{0}, {3}, {0, 4, 2}})
    for (const Interruptions when : {Interruptions{1, 2}, {1, 0}, {2, 5}}) {
      CAPTURE(ranks.size());
      CAPTURE(ranks.front());
      CAPTURE(when.keep_every);
      const CutOffTraining training = learn_cut_off(ranks, when, learn);
      CHECK(training.outcome == expected);
      CHECK(training.went_on + 1 >= training.attempts);
      went_on += training.went_on;
    }
  return went_on;
}

}  // namespace

TEST_CASE("cut off: two classes resume with the bits of a training that was not") {
  CHECK(check_goes_on(vectors(clouds(2300, 4, 2))) > 20);
}

TEST_CASE("cut off: so does one against the rest") {
  CHECK(check_goes_on(vectors(clouds(1300, 4, 3)), against_rest) > 20);
}

TEST_CASE("cut off: so does one against one") {
  CHECK(check_goes_on(vectors(clouds(2300, 4, 4)), {{"C", 5.0}}) > 10);
}

TEST_CASE("cut off: so does one with shrinking") {
  CHECK(check_goes_on(vectors(clouds(2300, 2, 2)), {{"shrinking", true}, {"C", 100.0}}) > 20);
}

TEST_CASE("cut off: a checkpoint that is damaged, or of another training, is ignored") {
  const Samples samples = vectors(clouds(900, 4, 3)), other = vectors(clouds(700, 4, 3));
  TestContext context;
  const std::string expected = learned(samples, {}, context);
  const auto damaged = [&](const std::vector<std::int64_t>& words) {
    KeptInMemory memory;
    auto state = std::make_shared<MemoryState>();
    state->integers("problems", words);
    memory.put(state);
    const auto learn = [&](Context& each) { return learned(samples, {}, each); };
    return learn_cut_off({0}, {0, 0}, learn, 1, &memory).outcome;
  };
  CHECK(damaged({}) == expected);
  CHECK(damaged({3}) == expected);
  CHECK(damaged({3, 1, 7, 0, 0}) == expected);
  CHECK(damaged({3, 1LL << 60, 0, 0, 0}) == expected);
  CHECK(damaged({3, 0, 1, 1, 0, 0, 0, 0, 1LL << 61}) == expected);

  KeptInMemory memory;
  TestContext inner(1);
  CheckpointInMemory checkpoint(memory, {1, 3});
  KeepingContext keeping(inner, checkpoint);
  CHECK_THROWS_AS(learned(other, {}, keeping), CutOff);
  REQUIRE(memory.times() > 0);
  const auto learn = [&](Context& each) { return learned(samples, {}, each); };
  CHECK(learn_cut_off({0, 2}, {0, 0}, learn, 1, &memory).outcome == expected);
}

}  // namespace semblance::kernel::checkpoint_test
