// SPDX-License-Identifier: MIT
// A pairwise SVM whose training is interrupted and resumed has the same bits.
#include <doctest/doctest.h>

#include "newton_testing.hpp"
#include "semblance/checkpoint_testing.hpp"

namespace semblance::pairwise::checkpoint_test {
namespace {

using namespace testing;

std::string learn(const Examples& data, const Problem& problem, Context& context) {
  const MemoryRows all(data.values);
  if (context.collectives().ranks() == 1) return train_on(all, data.all_pairs(), problem, context);
  const OwnRows own(all, context.collectives());
  return train_on(own, data.all_pairs(), problem, context);
}

CutOffTraining cut_off(const Examples& data, const Problem& problem,
                       const std::vector<std::size_t>& ranks, Interruptions when,
                       KeptInMemory* from = nullptr) {
  return learn_cut_off(
      ranks, when, [&](Context& context) { return learn(data, problem, context); }, 2, from);
}

std::string undisturbed(const Examples& data, const Problem& problem) {
  TestContext alone;
  return learn(data, problem, alone);
}

/// Interrupts it at every possible place: alone, on ranks, and with changing ranks.
void check_goes_on(const Examples& data, const Problem& problem) {
  const std::string expected = undisturbed(data, problem);
  const auto whole = cut_off(data, problem, {0}, {.keep_every = 1});
  CHECK(whole.outcome == expected);
  CHECK(whole.kept > 10);
  for (const auto& ranks : std::vector<std::vector<std::size_t>>{{0}, {0, 3, 1, 2}}) {
    // Each attempt completes one more product.
    const auto often = cut_off(data, problem, ranks, {.keep_every = 1, .cut_off_at = 2});
    CHECK(often.outcome == expected);
    CHECK(often.attempts == whole.asked);
    CHECK(often.went_on == whole.asked - 1);
    const auto rarely = cut_off(data, problem, ranks, {.keep_every = 3, .cut_off_at = 5});
    CHECK(rarely.outcome == expected);
  }
}

const Parameters of_factor{{"C", 3.0}, {"products", std::string("factor")}};
const Parameters of_pairs{{"C", 3.0}, {"products", std::string("pairs")}};

TEST_CASE("checkpoints: a pairwise SVM resumes wherever it was interrupted") {
  const Examples data = unit_length(clouds(140, 7, 20));
  check_goes_on(data, {linear("pair_kernel/tensor_metric_learning"), {{"C", 3.0}}});
  check_goes_on(data, {linear("pair_kernel/direct_sum"), {{"C", 3.0}}});
}

TEST_CASE("checkpoints: so it does with the standard kernel's matrix, in both ways") {
  const Examples data = unit_length(clouds(70, 5, 12));
  check_goes_on(data, {gaussian("pair_kernel/tensor_learning", 0.5), of_factor});
  check_goes_on(data, {gaussian("pair_kernel/tensor_metric_learning", 0.5), of_pairs});
  check_goes_on(data,
                {linear("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", std::int64_t{2}}}),
                 of_factor});
}

TEST_CASE("checkpoints: what does not fit counts as none") {
  const Examples data = unit_length(clouds(70, 5, 12)), wider = unit_length(clouds(70, 6, 12));
  for (const Problem& problem : {Problem{linear("pair_kernel/tensor_learning"), {{"C", 3.0}}},
                                 Problem{gaussian("pair_kernel/tensor_learning", 0.5), of_pairs}}) {
    const std::string expected = undisturbed(data, problem);
    KeptInMemory memory;
    cut_off(wider, {linear("pair_kernel/direct_sum"), {{"C", 3.0}}}, {0}, {.keep_every = 1},
            &memory);
    REQUIRE(memory.state() != nullptr);
    CHECK(cut_off(data, problem, {0}, {.keep_every = 0}, &memory).outcome == expected);
    CHECK(cut_off(data, problem, {3}, {.keep_every = 0}, &memory).outcome == expected);
    memory.put(std::make_shared<MemoryState>());
    CHECK(cut_off(data, problem, {2}, {.keep_every = 0}, &memory).outcome == expected);
  }
}

}  // namespace
}  // namespace semblance::pairwise::checkpoint_test
