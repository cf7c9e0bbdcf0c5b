// SPDX-License-Identifier: MIT
// A linear SVM whose samples are spread over several ranks has the same bits as on one.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "linear_testing.hpp"
#include "semblance/collectives_testing.hpp"

namespace ranks_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

const Parameters l1 = {{"regularizer", std::string("l1")}};

void check_same(const Data& data, const Parameters& parameters = {},
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8}) {
  check_same_on_ranks(data.values, numbers, [&](const Rows& rows, Context& context) {
    return outcome(train_on(rows, data, context, parameters));
  });
}

std::string message_on_ranks(const Data& data, std::size_t ranks) {
  return semblance::testing::message_on_ranks(data.values, ranks,
                                              [&](const Rows& rows, Context& context) {
                                                return outcome(train_on(rows, data, context, {}));
                                              });
}

}  // namespace

TEST_CASE("ranks: one versus rest has the bits of one process") {
  check_same(clouds(2900, 37, 5));
  check_same(clouds(2600, 20, 2), {{"bias", 0.0}, {"C", 0.01}});
}

TEST_CASE("ranks: the same with a preconditioner of all rows and of a sample") {
  check_same(clouds(9001, 33, 3), {{"C", 10.0}}, {3, 4});
  // More active samples than are drawn.
  check_same(clouds(5003, 530, 2), {{"C", 1e-3}}, {3});
  // Some hundred drawn samples: several tiles of their products.
  check_same(clouds(3003, 600, 4), {{"C", 0.1}}, {2, 3});
}

TEST_CASE("ranks: the same with class weights, and with a path of costs and its curves") {
  check_same(
      clouds(3000, 15, 3),
      {{"class_weights", class_weights({1, 2.5, 0.3})}, {"path", std::vector<double>{1e-3, 0.1}}},
      {2, 8});
}

TEST_CASE("ranks: the same with a C that is chosen, also in the span of the rows") {
  const Parameters automatic = {{"C", std::string("automatic")}, {"folds", std::int64_t{3}}};
  check_same(clouds(1500, 10, 3), automatic, {2, 3});
  check_same(clouds(600, 1300, 2), automatic, {2, 3});
}

TEST_CASE("ranks: the same with exact steps") {
  const Data data = stiff(3000, 40, 3);
  const Parameters hard = {{"C", 10.0}, {"tolerance", 1e-7}};
  REQUIRE(took_exact_steps(data, hard));
  check_same(data, hard);
}

TEST_CASE("ranks: the same with exact steps on a wide map") {
  const Data data = wide_map(1200, 520);
  REQUIRE(took_exact_steps(data, {}));
  check_same(data, {}, {2, 4});
}

TEST_CASE("ranks: the same with l1") {
  const Parameters path = {{"regularizer", std::string("l1")},
                           {"path", std::vector<double>{1e-3, 0.02}}};
  check_same(clouds(3000, 150, 3), l1);
  check_same(clouds(2500, 90, 2), path, {3});
}

TEST_CASE("ranks: the same with few rows of many columns") {
  const Data data = clouds(700, 2900, 3);
  check_same(data, {}, {2, 3, 4});
}

TEST_CASE("ranks: with few rows, some ranks have none") {
  check_same(clouds(600, 20, 3), {}, {4, 8});
  check_same(clouds(600, 20, 3), l1, {4, 8});
  check_same(stiff(500, 30, 2), {{"C", 10.0}, {"tolerance", 1e-7}}, {4});
}

TEST_CASE("ranks: a stop request on one rank ends all, with a model and true figures") {
  const Data data = clouds(20000, 30, 4);
  const MemoryRows all(data.values);
  for (const bool beforehand : {true, false}) {
    std::atomic<std::size_t> stopped = 0;
    std::vector<std::string> outcomes(3);
    on_ranks(3, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      if (beforehand && context.collectives().rank() == 1)
        context.alone().stop = StopReason::deadline;
      std::jthread late;
      if (!beforehand && context.collectives().rank() == 2)
        late = std::jthread([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          context.alone().stop = StopReason::deadline;
        });
      const auto trained = train_on(own, data, context, {{"tolerance", 1e-12}, {"C", 1e4}});
      stopped += trained.report.texts.at("certificate") == "deadline";
      outcomes[context.collectives().rank()] = outcome(trained);
    });
    CHECK(stopped == 3);
    CHECK(outcomes[1] == outcomes[0]);
    CHECK(outcomes[2] == outcomes[0]);
  }
}

TEST_CASE("ranks: the first row that is not finite is named, whichever rank has it") {
  Data data = clouds(3000, 12, 3);
  data.values.values[12 * 2900 + 1] = INFINITY;
  data.values.values[12 * 1700 + 2] = std::nanf("");
  const std::string expected =
      "training row 1700, column 2 (both counted from 0) is NaN; training needs finite values";
  CHECK(training_error("solver/linear_svm", data) == expected);
  for (const std::size_t ranks : {1U, 2U, 3U, 8U}) CHECK(message_on_ranks(data, ranks) == expected);
}

TEST_CASE("ranks: if one has too little memory, all end with its message") {
  const Data data = clouds(3000, 30, 4);
  const MemoryRows all(data.values);
  for (const Parameters& parameters : {Parameters{}, l1}) {
    std::atomic<std::size_t> heard = 0;
    std::string message;
    try {
      on_ranks(3, [&](RankContext& context) {
        const OwnRows own(all, context.collectives());
        if (context.collectives().rank() == 1) context.alone().budget = 30 << 10;
        try {
          train_on(own, data, context, parameters);
        } catch (const RankFailure& failure) {
          heard += std::string(failure.what()).starts_with("rank 1 on here: training 4 of 4 ");
          throw;
        }
      });
    } catch (const Error& error) {
      message = error.what();
    }
    CHECK(heard == 2);
    CHECK(message.starts_with("training 4 of 4 problems at once on 3000 rows of 31 values takes "));
  }
}

TEST_CASE("ranks: only one versus rest is distributed") {
  CHECK(make_component<Solver>("solver/linear_svm")->distributes());
  CHECK(make_component<Solver>("solver/linear_svm", l1)->distributes());
  CHECK_FALSE(
      make_component<Solver>("solver/linear_svm", {{"multiclass", std::string("crammer_singer")}})
          ->distributes());
}

}  // namespace ranks_test
