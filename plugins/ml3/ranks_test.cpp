// SPDX-License-Identifier: MIT
// Descents on samples spread over several ranks have the same bits as on one.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "centres.hpp"
#include "model_share.hpp"
#include "ranks_testing.hpp"

namespace ranks_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Parameters ml3_of(std::int64_t models, std::int64_t iterations, Parameters more = {}) {
  more.push_back({"models", models});
  more.push_back({"iterations", iterations});
  more.push_back({"lambda", 1e-4});
  return more;
}

/// So many classes and columns that ranks share the models.
Data wide(std::size_t rows) { return clouds(rows, 1100, 20); }

std::string message_on_ranks(std::string_view id, const Data& data, std::size_t ranks) {
  return semblance::testing::message_on_ranks(
      data.values, ranks, [&](const Rows& rows, Context& context) {
        return outcome(train_on(id, rows, data, context, {}));
      });
}

}  // namespace

TEST_CASE("ranks: large models are shared out, each row of W to one rank, small ones are not") {
  on_ranks(3, [&](RankContext& context) {
    Collectives& ranks = context.collectives();
    const ModelShare small(100, 100, ranks);
    CHECK_FALSE(small.shared());
    CHECK(small.rows() == 100);
    ModelShare large(500, 1101, ranks);
    CHECK(large.shared());
    CHECK(large.rows() < 250);
    ModelMatrix w(500, 1101);
    for (std::size_t i = 0; i < large.rows(); ++i) w.row(large.first() + i)[300] = 1;
    large.gather_rows(w);
    CHECK(w.squared_norm() == 500);
    FloatMatrix z(2, 500);
    for (std::size_t j = 0; j < large.rows(); ++j)
      z.values[500 + large.first() + j] = static_cast<float>(large.first() + j);
    large.gather_columns(z.view());
    for (std::size_t j = 0; j < 500; ++j) {
      CHECK(z.values[j] == 0);
      CHECK(z.values[500 + j] == static_cast<float>(j));
    }
  });
}

TEST_CASE("ranks: where one has too little memory, all end with what it says") {
  const Data data = clouds(3000, 30, 4);
  const MemoryRows all(data.values);
  std::atomic<std::size_t> heard = 0;
  std::string message;
  try {
    on_ranks(3, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      if (context.collectives().rank() == 1) context.alone().budget = 1 << 20;
      try {
        train_on("solver/ml3", own, data, context, ml3_of(10, 1));
      } catch (const RankFailure& failure) {
        heard += std::string(failure.what()).starts_with("rank 1 on here: training needs ");
        throw;
      }
    });
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(heard == 2);
  CHECK(message.find("for samples from other ranks), but may use only 1 MiB") != std::string::npos);
}

TEST_CASE("ranks: ML3 gives the bits that one process does, its models shared out") {
  check_same("solver/ml3", wide(2305), ml3_of(25, 1));
  check_same("solver/ml3", wide(600), ml3_of(25, 1, {{"start", std::string("mixture")}}), {3});
}

TEST_CASE("ranks: so does ML3 with small models, along a path, with curves of all rows") {
  const Data data = clouds(2903, 13, 4);
  check_same("solver/ml3", data, ml3_of(3, 3, {{"trace", true}}));
  check_same("solver/ml3", data, ml3_of(5, 2, {{"path", std::vector<double>{1e-2, 1e-3}}}), {4});
}

TEST_CASE("ranks: so does it in batches that no piece is a multiple of, in steps beyond the ball") {
  const Data data = clouds(9001, 7, 3);
  check_same("solver/ml3", data,
             ml3_of(3, 2, {{"batch", std::int64_t{100}}, {"epochs", std::int64_t{2}}}), {3});
  // The scale falls below the limit for multiplying it in within batches.
  check_same("solver/linear_svm_sgd", data, {{"lambda", 1e-7}, {"epochs", std::int64_t{3}}}, {3});
}

TEST_CASE("ranks: so do all where rows have a background") {
  check_same("solver/ml3", clouds_on_background(2305, 1100, 20), ml3_of(25, 1), {3});
  check_same("solver/ml3", clouds_on_background(9001, 40, 3), ml3_of(5, 2, {{"trace", true}}),
             {2, 3, 8});
  check_same("solver/llsvm", clouds_on_background(2905, 50, 5),
             {{"epochs", std::int64_t{3}}, {"models", std::int64_t{7}}}, {3});
}

TEST_CASE("ranks: so do LL-SVM and the linear SVM by descent") {
  const Parameters few{{"epochs", std::int64_t{3}}, {"models", std::int64_t{7}}};
  check_same("solver/llsvm", clouds(2905, 19, 5), few);
  check_same("solver/llsvm", wide(2305),
             {{"epochs", std::int64_t{1}}, {"models", std::int64_t{24}}}, {3});
  check_same("solver/linear_svm_sgd", clouds(2905, 19, 5), {{"epochs", std::int64_t{3}}});
}

TEST_CASE("ranks: so does LL-SVM where few models have a weight for a row") {
  const Parameters few{
      {"epochs", std::int64_t{1}}, {"models", std::int64_t{25}}, {"neighbours", std::int64_t{3}}};
  check_same("solver/llsvm", wide(1305), few, {3});
  check_same("solver/llsvm", clouds_on_background(1305, 1100, 20), few, {2});
}

TEST_CASE("ranks: so does coding by anchor planes, of all rows and of each class") {
  for (const char* bases : {"general", "per_class"})
    check_same(
        "solver/occ", clouds(2905, 19, 5),
        {{"epochs", std::int64_t{2}}, {"models", std::int64_t{7}}, {"bases", std::string(bases)}},
        {2, 3, 8});
  check_same("solver/occ", clouds(900, 600, 2), {{"epochs", std::int64_t{1}}}, {3, 8});
}

TEST_CASE("ranks: some have no rows, or no models, where there are few") {
  check_same("solver/ml3", clouds(600, 20, 3), ml3_of(3, 2), {4, 8});
  check_same("solver/llsvm", clouds(600, 20, 3), {{"epochs", std::int64_t{2}}}, {4, 8});
  // Three panels of models at most.
  check_same("solver/ml3", clouds(300, 12000, 3), ml3_of(15, 1), {8});
}

TEST_CASE("ranks: centres are those of one process, however their rows are spread") {
  const Data data = clouds(3001, 17, 3);
  const MemoryRows all(data.values);
  TestContext alone(2);
  const FloatMatrix expected = k_means({all, alone}, 12, Random(5), alone);
  for (const std::size_t ranks : {2U, 3U, 8U})
    on_ranks(ranks, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      const FloatMatrix found = k_means({own, context}, 12, Random(5), context);
      CHECK(found.values == expected.values);
    });
}

TEST_CASE("ranks: a stop that one of them wants ends all, with a model and what is true of it") {
  const Data data = wide(2801);
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
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          context.alone().stop = StopReason::deadline;
        });
      const auto trained = train_on("solver/ml3", own, data, context, ml3_of(25, 1000));
      stopped += trained.report.texts.at("certificate") == "deadline";
      outcomes[context.collectives().rank()] = outcome(trained);
    });
    CHECK(stopped == 3);
    CHECK(outcomes[1] == outcomes[0]);
    CHECK(outcomes[2] == outcomes[0]);
  }
}

TEST_CASE("ranks: a stop is heard of by the others, too") {
  for (const char* id : {"solver/llsvm", "solver/linear_svm_sgd"}) {
    CAPTURE(id);
    const Data data = clouds(2801, 30, 5);
    const MemoryRows all(data.values);
    std::atomic<std::size_t> stopped = 0;
    on_ranks(3, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      std::jthread late;
      if (context.collectives().rank() == 2)
        late = std::jthread([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          context.alone().stop = StopReason::cancelled;
        });
      const auto trained =
          train_on(id, own, data, context, {{"epochs", std::int64_t{1000000}}, {"lambda", 1e-4}});
      stopped += trained.report.texts.at("certificate") == "cancelled";
    });
    CHECK(stopped == 3);
  }
}

TEST_CASE("ranks: the first row that is not finite is named, whoever has it") {
  for (const char* id : {"solver/ml3", "solver/llsvm"}) {
    CAPTURE(id);
    Data data = clouds(3000, 12, 3);
    data.values.values[12 * 2900 + 1] = INFINITY;
    data.values.values[12 * 1700 + 2] = std::nanf("");
    const std::string expected =
        "training row 1700, column 2 (both counted from 0) is NaN; training needs finite values";
    CHECK(training_error(id, data) == expected);
    for (const std::size_t ranks : {1U, 3U, 8U})
      CHECK(message_on_ranks(id, data, ranks) == expected);
  }
}

}  // namespace ranks_test
