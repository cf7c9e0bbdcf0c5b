// SPDX-License-Identifier: MIT
// A linear SVM whose training is interrupted repeatedly has the same bits as an uninterrupted one.
#include <doctest/doctest.h>

#include "linear_testing.hpp"
#include "newton/span_newton.hpp"
#include "semblance/checkpoint_testing.hpp"

namespace checkpoint_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

std::string learned(const Data& data, const Parameters& parameters, Context& context) {
  const MemoryRows all(data.values);
  const OwnRows own(all, context.collectives());
  return outcome(train_on(own, data, context, parameters));
}

/// Checks that a training interrupted after each step, or after each third one, ends like an
/// uninterrupted one: alone, on three ranks, and on a different number of ranks each time. Returns
/// how often it was resumed.
std::size_t check_goes_on(const Data& data, const Parameters& parameters = {}) {
  TestContext context;
  const std::string expected = learned(data, parameters, context);
  const auto learn = [&](Context& each) { return learned(data, parameters, each); };
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

Parameters with(Parameters parameters, const char* preconditioner) {
  parameters.emplace_back("preconditioner", std::string(preconditioner));
  return parameters;
}

}  // namespace

TEST_CASE("resumed: one versus rest has the bits of an uninterrupted training") {
  CHECK(check_goes_on(clouds(2900, 37, 5)) > 6);
  CHECK(check_goes_on(clouds(2600, 20, 2), {{"bias", 0.0}, {"C", 0.01}}) > 3);
}

TEST_CASE("resumed: the same with every preconditioner, of all rows and of a sample") {
  const Data data = clouds(9001, 33, 3);
  for (const char* kind : {"diagonal", "cholesky"})
    CHECK(check_goes_on(data, with({{"C", 10.0}}, kind)) > 6);
  CHECK(check_goes_on(clouds(5003, 530, 2), with({{"C", 1e-3}}, "cholesky")) > 3);
  CHECK(check_goes_on(clouds(3003, 400, 3), with({{"C", 1e-2}}, "sampled")) > 3);
}

TEST_CASE("resumed: the same on a path of costs, with class weights") {
  CHECK(check_goes_on(clouds(3000, 15, 3), {{"class_weights", class_weights({1, 2.5, 0.3})},
                                            {"path", std::vector<double>{1e-3, 0.1}}}) > 10);
}

TEST_CASE("resumed: the same with exact steps, also along a path") {
  const Data data = stiff(3000, 40, 3);
  const Parameters hard = {{"C", 10.0}, {"tolerance", 1e-7}};
  REQUIRE(took_exact_steps(data, hard));
  CHECK(check_goes_on(data, hard) > 20);
  CHECK(check_goes_on(
            data, {{"C", 10.0}, {"tolerance", 1e-7}, {"path", std::vector<double>{0.01, 1}}}) > 20);
}

TEST_CASE("resumed: the same with exact steps from products in float32") {
  const Data data = wide_map(1200, 520);
  REQUIRE(took_steps_from_float32(data, {}));
  CHECK(check_goes_on(data) > 3);
}

TEST_CASE("resumed: the same with l1, also on a path") {
  CHECK(check_goes_on(clouds(3000, 150, 3), {{"regularizer", std::string("l1")}}) > 6);
  CHECK(check_goes_on(clouds(2500, 90, 2), {{"regularizer", std::string("l1")},
                                            {"path", std::vector<double>{1e-3, 0.02}}}) > 6);
}

TEST_CASE("resumed: the same with few rows of many columns, in their span and after it") {
  const Data data = clouds(290, 1200, 2);
  REQUIRE(semblance::linear::worth_span(290, 1201, 1));
  CHECK(check_goes_on(data) > 3);
  CHECK(check_goes_on(data, {{"path", std::vector<double>{1e-4, 0.01}}, {"tolerance", 1e-9}}) > 3);
}

TEST_CASE("resumed: a checkpoint of another training is ignored") {
  const Data data = clouds(2000, 20, 3), other = clouds(2000, 21, 3), fewer = clouds(1500, 20, 3);
  TestContext alone;
  const std::string expected = learned(data, {}, alone);
  for (const Data* wrong : {&other, &fewer}) {
    KeptInMemory memory;
    CHECK_THROWS_AS(([&] {
                      TestContext context;
                      CheckpointInMemory checkpoint(memory, {1, 3});
                      KeepingContext keeping(context, checkpoint);
                      learned(*wrong, {}, keeping);
                    }()),
                    CutOff);
    REQUIRE(memory.times() == 2);
    const auto again = learn_cut_off(
        {0, 3}, {}, [&](Context& context) { return learned(data, {}, context); }, 1, &memory);
    CHECK(again.outcome == expected);
    CHECK(again.attempts == 1);
  }
}

TEST_CASE("a stopped training ends with its best model, with or without checkpoints") {
  const Data data = clouds(3000, 30, 4);
  KeptInMemory memory;
  TestContext context;
  context.stop = StopReason::deadline;
  CheckpointInMemory checkpoint(memory, {1, 0});
  KeepingContext keeping(context, checkpoint);
  const MemoryRows all(data.values);
  const auto trained = train_on(all, data, keeping, {});
  CHECK(trained.report.texts.at("certificate") == "deadline");
}

TEST_CASE("without memory for a checkpoint none is saved, and a message says so") {
  const Data data = clouds(60000, 3, 12);
  KeptInMemory memory;
  TestContext context;
  context.budget = std::size_t{36} << 20;
  CheckpointInMemory checkpoint(memory, {1, 0});
  KeepingContext keeping(context, checkpoint);
  const MemoryRows all(data.values);
  train_on(all, data, keeping, {});
  CHECK(memory.times() == 0);
  CHECK(std::ranges::count_if(context.lines, [](const std::string& line) {
          return line.find("is not saved: that takes ") != std::string::npos;
        }) == 1);
}

TEST_CASE("resumed: the same on the path of costs of iterative steps, near hard margins") {
  Data data = clouds(2100, 300, 3);
  for (float& x : data.values.values) x *= 30;
  CHECK(check_goes_on(data, with({{"C", 1.0}}, "sampled")) > 3);
}

}  // namespace checkpoint_test
