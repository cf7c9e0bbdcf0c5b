// SPDX-License-Identifier: MIT
// A pairwise SVM whose training samples are spread over several ranks has the same bits as on one.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "saved_bits_testing.hpp"
#include "semblance/ranks_testing.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::ranks_test {
namespace {

using namespace testing;

using MakeKernel = std::function<std::unique_ptr<PairKernel>()>;

struct Problem {
  MakeKernel kernel;
  Parameters parameters;
};

MakeKernel linear(const std::string& id, const Parameters& parameters = {}) {
  return [=] { return pair_kernel(id, parameters); };
}

MakeKernel gaussian(const std::string& id, double gamma) {
  return [=] { return pair_kernel_on(id, "similarity/rbf", {{"gamma", gamma}}); };
}

/// Everything that is learned and said of it, but the time.
std::string outcome(const PairSolver& newton, const MemoryReport& report) {
  return common::testing::saved_bits(newton) + semblance::testing::bits_of(report);
}

std::string train_on(const Rows& rows, const PairSet& pairs, const Problem& problem,
                     Context& context, MemoryReport* said = nullptr) {
  const auto newton = solver("solver/pairwise_newton", problem.kernel(), problem.parameters);
  const Layout layout = Layout::vector(rows.cols());
  newton->bind(layout);
  MemoryReport report;
  newton->train({rows, layout, pairs}, report, context);
  if (said) *said = report;
  return outcome(*newton, report);
}

void check_same(const Examples& data, const PairSet& pairs, const Problem& problem,
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8}) {
  check_same_on_ranks(data.values, numbers, [&](const Rows& rows, Context& context) {
    return train_on(rows, pairs, problem, context);
  });
}

/// Every `step`th row of many, so that all ranks have some of them.
PairSet spread_pairs(const Examples& data, std::size_t step) {
  std::vector<std::int32_t> rows, classes;
  for (std::size_t i = 0; i < data.classes.size(); i += step) {
    rows.push_back(static_cast<std::int32_t>(i));
    classes.push_back(data.classes[i]);
  }
  return PairSet::all_of(std::move(rows), std::move(classes), true);
}

/// Some of the pairs, listed in either order and some of them twice.
PairSet some_of(const PairSet& pairs) {
  std::vector<Pair> list;
  for (const Pair& pair : pairs.expanded()) {
    const bool turned = (pair.first + pair.second) % 3 == 0;
    if (pair.label < 0 && (pair.first * 7 + pair.second * 3) % 4 != 0) continue;
    list.push_back(turned ? Pair{pair.second, pair.first, pair.label} : pair);
    if (pair.first % 5 == 0) list.push_back(pair);
  }
  std::reverse(list.begin(), list.end());
  return PairSet::listed(std::move(list));
}

const Parameters usual = {{"C", 0.05}};

std::string message_on_ranks(const Examples& data, const PairSet& pairs, std::size_t ranks) {
  return semblance::testing::message_on_ranks(
      data.values, ranks, [&](const Rows& rows, Context& context) {
        return train_on(rows, pairs, {linear("pair_kernel/tensor_learning"), usual}, context);
      });
}

TEST_CASE("ranks: weights on examples give the bits that one process does") {
  const Examples data = clouds(2900, 21, 30);
  const PairSet all = spread_pairs(data, 7);
  for (const MakeKernel& kernel :
       {linear("pair_kernel/symmetric_direct_sum"), linear("pair_kernel/metric_learning"),
        linear("pair_kernel/tensor_learning"), linear("pair_kernel/tensor_metric_learning")}) {
    check_same(data, all, {kernel, usual}, {2, 3, 8});
    check_same(data, some_of(all), {kernel, usual}, {4});
  }
}

TEST_CASE("ranks: so do matrices of several tiles, and close to a hard margin") {
  const Examples wide = unit_length(clouds(2900, 200, 60));
  check_same(wide, spread_pairs(wide, 13),
             {linear("pair_kernel/tensor_metric_learning"), {{"C", 3.0}}}, {3});
  const Examples hard = unit_length(double_interval(2600, 40, 5));
  check_same(hard, spread_pairs(hard, 13),
             {linear("pair_kernel/metric_learning"), {{"C", 30.0}, {"tolerance", 1e-3}}}, {2});
}

TEST_CASE("ranks: so do a Cholesky factor, and one of squared values beside it") {
  const Examples data = clouds(2600, 5, 20);
  const PairSet all = spread_pairs(data, 13);
  check_same(data, all,
             {gaussian("pair_kernel/tensor_metric_learning", 0.2),
              {{"C", 0.05}, {"products", std::string("factor")}}},
             {2, 3, 8});
  const auto two = std::int64_t{2};
  check_same(data, some_of(all),
             {linear("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", two}}), usual}, {3});
  check_same(data, all, {linear("pair_kernel/polynomial_tensor", {{"p", two}}), usual}, {4});
}

TEST_CASE("ranks: so do products with the values of pairs") {
  const Examples data = clouds(2600, 5, 20);
  const PairSet all = spread_pairs(data, 19);
  const Parameters by_pairs = {{"C", 0.05}, {"products", std::string("pairs")}};
  check_same(data, all, {gaussian("pair_kernel/tensor_metric_learning", 0.2), by_pairs}, {2, 3});
  check_same(data, some_of(all), {gaussian("pair_kernel/direct_sum", 0.2), by_pairs}, {4});
}

TEST_CASE("ranks: some have no pairs where there are few, some no rows") {
  const Examples few = clouds(70, 5, 7), fewer = clouds(30, 4, 5);
  check_same(few, few.all_pairs(), {linear("pair_kernel/tensor_metric_learning"), usual}, {4, 8});
  check_same(few, some_of(few.all_pairs()), {linear("pair_kernel/metric_learning"), usual}, {8});
  check_same(fewer, fewer.all_pairs(), {gaussian("pair_kernel/tensor_learning", 0.2), usual},
             {2, 8});
}

TEST_CASE("ranks: a stop that one of them wants ends all, with a model and what is true of it") {
  const Examples data = unit_length(double_interval(2600, 40, 5));
  const PairSet pairs = spread_pairs(data, 5);
  const MemoryRows all(data.values);
  const Parameters hard = {{"C", 1e4}, {"tolerance", 1e-9}};
  for (const MakeKernel& kernel :
       {linear("pair_kernel/tensor_metric_learning"), gaussian("pair_kernel/tensor_learning", 0.3)})
    for (const bool beforehand : {true, false}) {
      CAPTURE(beforehand);
      std::atomic<std::size_t> stopped = 0;
      std::vector<std::string> outcomes(3);
      on_ranks(3, [&](RankContext& context) {
        const OwnRows own(all, context.collectives());
        const std::size_t rank = context.collectives().rank();
        if (beforehand && rank == 1) context.alone().stop = StopReason::deadline;
        std::jthread late;
        if (!beforehand && rank == 2)
          late = std::jthread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
            context.alone().stop = StopReason::deadline;
          });
        MemoryReport report;
        outcomes[rank] = train_on(own, pairs, {kernel, hard}, context, &report);
        stopped += report.texts.at("certificate") == "deadline";
      });
      CHECK(stopped == 3);
      CHECK(outcomes[1] == outcomes[0]);
      CHECK(outcomes[2] == outcomes[0]);
    }
}

TEST_CASE("ranks: what is wrong with rows or pairs is said as by one process, whoever has them") {
  Examples data = clouds(3000, 6, 30);
  const PairSet pairs = some_of(spread_pairs(data, 11));
  std::vector<Pair> both(pairs.list().begin(), pairs.list().end());
  both.push_back({1100, 0, -1}), both.push_back({0, 1100, 1});
  both.push_back({2200, 2211, -1}), both.push_back({2211, 2200, 1});
  const PairSet contrary = PairSet::listed(std::move(both));
  const auto alone = [&](const PairSet& set) {
    return training_error(
        *solver("solver/pairwise_newton", pair_kernel("pair_kernel/tensor_learning"), usual),
        data.values, set);
  };
  CHECK(alone(contrary) ==
        "the training pair of rows 0 and 1100 is listed with both labels, +1 and -1; give it one "
        "of them");
  for (const std::size_t ranks : {2U, 3U, 8U})
    CHECK(message_on_ranks(data, contrary, ranks) == alone(contrary));
  data.values.values[6 * 2900 + 1] = INFINITY;
  data.values.values[6 * 1700 + 2] = std::nanf("");
  CHECK(alone(pairs) ==
        "training row 1700, column 2 (both counted from 0) is NaN; training needs finite values");
  for (const std::size_t ranks : {2U, 3U, 8U})
    CHECK(message_on_ranks(data, pairs, ranks) == alone(pairs));
}

TEST_CASE("ranks: where one has too little memory, all end with what it says") {
  const Examples data = clouds(3000, 30, 40);
  const PairSet pairs = spread_pairs(data, 6);
  const MemoryRows all(data.values);
  std::atomic<std::size_t> heard = 0;
  std::string message;
  try {
    on_ranks(3, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      if (context.collectives().rank() == 1) context.alone().budget = 30 << 10;
      try {
        train_on(own, pairs, {linear("pair_kernel/tensor_learning"), usual}, context);
      } catch (const RankFailure& failure) {
        heard += std::string(failure.what()).starts_with("rank 1 on here: training takes ");
        throw;
      }
    });
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(heard == 2);
  CHECK(message.find(" pairs of 125250 and ") != std::string::npos);
}

}  // namespace
}  // namespace semblance::pairs::ranks_test
