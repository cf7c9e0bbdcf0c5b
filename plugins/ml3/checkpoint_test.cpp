// SPDX-License-Identifier: MIT
// Descents that are interrupted and resumed have the same bits as uninterrupted ones.
#include <doctest/doctest.h>

#include "ranks_testing.hpp"
#include "semblance/checkpoint_testing.hpp"

namespace checkpoint_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

std::string learn(std::string_view id, const Data& data, const Parameters& parameters,
                  Context& context) {
  const MemoryRows all(data.values);
  if (context.collectives().ranks() == 1)
    return outcome(train_on(id, all, data, context, parameters));
  const OwnRows own(all, context.collectives());
  return outcome(train_on(id, own, data, context, parameters));
}

std::string undisturbed(std::string_view id, const Data& data, const Parameters& parameters) {
  TestContext alone;
  return learn(id, data, parameters, alone);
}

CutOffTraining cut_off(std::string_view id, const Data& data, const Parameters& parameters,
                       const std::vector<std::size_t>& ranks, Interruptions when,
                       std::size_t threads = 1, KeptInMemory* from = nullptr) {
  return learn_cut_off(
      ranks, when, [&](Context& context) { return learn(id, data, parameters, context); }, threads,
      from);
}

/// Interrupted at every possible place: alone, on ranks, and with changing ranks.
void check_goes_on(std::string_view id, const Data& data, const Parameters& parameters,
                   std::size_t asked) {
  const std::string expected = undisturbed(id, data, parameters);
  const auto whole = cut_off(id, data, parameters, {0}, {.keep_every = 1});
  CHECK(whole.outcome == expected);
  CHECK(whole.asked == asked);
  CHECK(whole.kept == asked);
  for (const auto& ranks : std::vector<std::vector<std::size_t>>{{0}, {3}, {0, 3, 1, 2}}) {
    // Each attempt completes one more piece.
    const auto often = cut_off(id, data, parameters, ranks, {.keep_every = 1, .cut_off_at = 2}, 2);
    CHECK(often.outcome == expected);
    CHECK(often.attempts == asked);
    CHECK(often.went_on == asked - 1);
    const auto rarely = cut_off(id, data, parameters, ranks, {.keep_every = 2, .cut_off_at = 4});
    CHECK(rarely.outcome == expected);
  }
}

const Parameters ml3_parameters{{"models", std::int64_t{3}},
                                {"iterations", std::int64_t{3}},
                                {"epochs", std::int64_t{2}},
                                {"lambda", 1e-3}};

}  // namespace

TEST_CASE("checkpoints: ML3 resumes wherever it was interrupted") {
  // Two pieces an epoch, two epochs in each of four descents.
  check_goes_on("solver/ml3", clouds(4501, 7, 3), ml3_parameters, 16);
}

TEST_CASE("checkpoints: so does it along a path, with curves of all rows and a mixture") {
  Parameters parameters = ml3_parameters;
  parameters.push_back({"path", std::vector<double>{1e-1, 1e-2}});
  parameters.push_back({"trace", true});
  parameters.push_back({"start", std::string("mixture")});
  // Four descents for the first lambda, that with random weights among them, and three for each
  // other.
  check_goes_on("solver/ml3", clouds(1900, 7, 3), parameters, 20);
}

TEST_CASE("checkpoints: so does it where ranks share out the models") {
  const Data data = clouds(700, 1100, 20);
  const Parameters parameters{
      {"models", std::int64_t{24}}, {"iterations", std::int64_t{1}}, {"lambda", 1e-4}};
  check_goes_on("solver/ml3", data, parameters, 2);
}

TEST_CASE("checkpoints: so does it where rows have a background") {
  check_goes_on("solver/ml3", clouds_on_background(4501, 40, 3), ml3_parameters, 16);
}

TEST_CASE("checkpoints: the others go on, too, in batches that no piece is a multiple of") {
  const Parameters parameters{
      {"epochs", std::int64_t{3}}, {"batch", std::int64_t{100}}, {"lambda", 1e-4}};
  check_goes_on("solver/linear_svm_sgd", clouds(8300, 5, 3), parameters, 9);
  check_goes_on("solver/llsvm", clouds(4401, 5, 3), parameters, 6);
  Parameters planes{{"bases", std::string("per_class")}, {"models", std::int64_t{3}}};
  planes.insert(planes.end(), parameters.begin(), parameters.end());
  check_goes_on("solver/occ", clouds(4401, 5, 3), planes, 6);
}

TEST_CASE("checkpoints: what does not fit counts as none") {
  for (const char* id : {"solver/ml3", "solver/llsvm", "solver/linear_svm_sgd"}) {
    CAPTURE(id);
    const Data data = clouds(900, 5, 3), wider = clouds(900, 6, 3);
    const std::string expected = undisturbed(id, data, {});
    KeptInMemory memory;
    cut_off(id, wider, {}, {0}, {.keep_every = 1}, 1, &memory);
    REQUIRE(memory.state() != nullptr);
    CHECK(cut_off(id, data, {}, {0}, {.keep_every = 0}, 1, &memory).outcome == expected);
    CHECK(cut_off(id, data, {}, {3}, {.keep_every = 0}, 1, &memory).outcome == expected);
    memory.put(std::make_shared<MemoryState>());
    CHECK(cut_off(id, data, {}, {2}, {.keep_every = 0}, 1, &memory).outcome == expected);
  }
}

}  // namespace checkpoint_test
