// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "evaluator_testing.hpp"

namespace coverage_test {

using namespace semblance;
using namespace semblance::evaluators::testing;

namespace {

Judged judge_sets(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                  std::int64_t draws = 0, std::size_t threads = 2) {
  return judge_scores("evaluator/coverage", scores, labels, abc, {{"bootstrap", draws}},
                      {.threads = threads, .sets = true});
}

}  // namespace

TEST_CASE("figures of sets are counts of their members") {
  //                            {a}: right    {b, c}: wrong  {}: wrong      {a, b, c}     {c}: wrong
  const auto judged =
      judge_sets({1, -1, -2, -1, 0.5F, 0, -1, -2, -3, 1, 2, 0, -1, -1, 3}, {0, 0, 1, 2, 1});
  CHECK(judged.figure("coverage") == 0.4);
  CHECK(judged.figure("mean_size") == 7.0 / 5);
  CHECK(judged.figure("single_share") == 0.4);
  CHECK(judged.figure("single_accuracy") == 0.5);
  CHECK(judged.figure("empty_share") == 0.2);
  CHECK(judged.figure("mean_class_coverage") == 0.5);
  CHECK(judged.figure("least_class_coverage") == 0);
  CHECK(judged.report.integers.at("rows") == 5);
  const Table& classes = judged.report.tables.at("classes");
  CHECK(classes.rows == abc);
  CHECK(classes.values == std::vector<double>{0.5, 1.5, 2, 0, 0.5, 2, 1, 3, 1});
  const Table& sizes = judged.report.tables.at("sizes");
  CHECK(sizes.rows == std::vector<std::string>{"0", "1", "2", "3"});
  CHECK(sizes.values == std::vector<double>{0, 0.2, 1, 0.5, 0.4, 2, 0, 0.2, 1, 1, 0.2, 1});
}

TEST_CASE("a score of 0 is a member, of minus 0 too, the smallest below is not") {
  const auto judged = judge_sets({0, -1, -1, -0.0F, -1, -1, -1e-45F, -1, -1}, {0, 0, 0});
  CHECK(judged.figure("coverage") == doctest::Approx(2.0 / 3));
  CHECK(judged.figure("empty_share") == doctest::Approx(1.0 / 3));
}

TEST_CASE("classes without test rows and sets that do not occur are omitted") {
  const auto judged = judge_sets({1, 1, -1, 2, 2, -1}, {0, 0});
  CHECK(judged.report.tables.at("classes").rows == std::vector<std::string>{"a"});
  CHECK(judged.report.tables.at("sizes").rows == std::vector<std::string>{"2"});
  CHECK(judged.figure("least_class_coverage") == 1);
  CHECK(!judged.report.numbers.contains("single_accuracy"));
}

TEST_CASE("rows without a label have no coverage") {
  const auto judged = judge_sets({1, -1, -1, -1, -1, -1}, {0, -1});
  CHECK(judged.figure("coverage") == 1);
  CHECK(judged.report.integers.at("unlabelled") == 1);
}

TEST_CASE("scores that are no sets are refused") {
  CHECK(message_of([] {
          judge_scores("evaluator/coverage", {1, 2, 3}, {0}, abc, {});
        }) ==
        "it judges sets of classes, but the scores of 'mine' (solver/mine) are none; put "
        "calibrator/conformal after it");
}

TEST_CASE("the interval of the coverage is about that of a share") {
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 400; ++i) {
    labels.push_back(0);
    scores.insert(scores.end(), {i % 10 == 0 ? -1.0F : 1.0F, -1, -1});
  }
  const auto one = judge_sets(scores, labels, 1000, 1);
  const double deviation = std::sqrt(0.9 * 0.1 / 400);
  CHECK(one.figure("coverage_low") == doctest::Approx(0.9 - 1.96 * deviation).epsilon(0.005));
  CHECK(one.figure("coverage_high") == doctest::Approx(0.9 + 1.96 * deviation).epsilon(0.005));
  CHECK(one.report.tables.at("intervals").values ==
        judge_sets(scores, labels, 1000, 4).report.tables.at("intervals").values);
}

}  // namespace coverage_test
