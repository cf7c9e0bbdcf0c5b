// SPDX-License-Identifier: MIT
// What is chosen among candidates with equal errors.
#include "tuning/better_candidate.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "linear_testing.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::linear::better_candidate_test {
namespace {

using namespace testing;

/// 0.6 by three weights in another order, which differs by rounding.
constexpr double one_way = 0.1 + 0.2 + 0.3, other_way = 0.3 + 0.2 + 0.1;
static_assert(one_way > other_way);

TEST_CASE("equal errors, also but for rounding: the more regularized candidate is the better one") {
  using common::is_better_candidate;
  CHECK(is_better_candidate(one_way, other_way, true));
  CHECK(!is_better_candidate(other_way, one_way, false));
  CHECK(is_better_candidate(0, 0, true));
  CHECK(!is_better_candidate(0, 0, false));
  CHECK(is_better_candidate(0, 1e-30, false));
  CHECK(!is_better_candidate(0.6001, 0.6, true));
  CHECK(is_better_candidate(0.6, 0.6001, false));
}

TEST_CASE("equal errors: the larger penalty, wherever it is listed") {
  const common::LeftOutFigure by_squares = {"", "", {}, false};
  const auto best = [&](std::vector<common::PenaltyTrial> trials) {
    return trials[common::best_trial(trials, by_squares)].penalty;
  };
  CHECK(best({{1, 0, 0, {other_way}, 0}, {10, 0, 0, {one_way}, 0}, {3, 0, 0, {one_way}, 0}}) == 10);
  CHECK(best({{10, 0, 0, {one_way}, 0}, {1, 0, 0, {other_way}, 0}}) == 10);
  CHECK(best({{10, 0, 0, {0.61}, 0}, {1, 0, 0, {other_way}, 0}}) == 1);
}

/// Weights of 0.1, 0.2, ... are summed in different orders: with these seeds, equal errors of
/// several C differ by rounding.
TEST_CASE("equal errors: the smaller C, whatever the order of the sums") {
  const std::vector<double> costs = {1e-3, 1e-2, 0.1, 1, 10};
  const Parameters automatic = {{"C", std::string("automatic")}, {"path", costs}};
  for (const std::uint64_t seed : {196, 222, 233, 269, 332, 561}) {
    CAPTURE(seed);
    Data data = clouds(60, 3, 3, seed);
    for (std::size_t i = 0; i < 60; ++i)
      data.weights.push_back(0.1 * static_cast<double>(1 + i % 7));
    TestContext context;
    const auto trained = train("solver/linear_svm", data, context, automatic);
    const std::vector<double>& errors = trained.report.curves.at("error_by_cost").y;
    const double least = *std::ranges::min_element(errors);
    std::size_t first = 0;
    while (errors[first] > least + 1e-6) ++first;
    CHECK(trained.report.numbers.at("cost") == costs[first]);
  }
}

}  // namespace
}  // namespace semblance::linear::better_candidate_test
