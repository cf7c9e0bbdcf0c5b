// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "evaluator_testing.hpp"

namespace calibration_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

const std::vector<std::string> no_yes = {"no", "yes"};

/// Forecasts of twelve rows, in eighths.
const std::vector<float> eighths = {1, 1, 3, 2, 4, 5, 3, 6, 7, 8, 4, 5};
const std::vector<std::int32_t> happened = {0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1};

Judged judge_rows(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                  const std::vector<std::string>& classes, const Parameters& parameters = {},
                  bool probabilities = true) {
  return judge_scores("evaluator/calibration", scores, labels, classes, parameters,
                      {.probabilities = probabilities});
}

/// Two classes with these probabilities of the second, in eighths.
std::vector<float> of_second(const std::vector<float>& parts) {
  std::vector<float> scores;
  for (const float part : parts) scores.insert(scores.end(), {1 - part / 8, part / 8});
  return scores;
}

std::vector<double> column(const Table& table, std::size_t at) {
  std::vector<double> values;
  for (std::size_t i = at; i < table.values.size(); i += table.columns.size())
    values.push_back(table.values[i]);
  return values;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) < 1e-12; });
}

/// Rows of three classes with probabilities that are about right.
struct Sample {
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
};
Sample sample(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Sample made;
  for (std::size_t i = 0; i < rows; ++i) {
    double weights[3];
    double sum = 0;
    for (double& weight : weights) sum += weight = std::exp(2 * random.normal());
    const double draw = random.uniform() * sum;
    made.labels.push_back(draw < weights[0] ? 0 : draw < weights[0] + weights[1] ? 1 : 2);
    for (const double weight : weights) made.scores.push_back(static_cast<float>(weight / sum));
  }
  return made;
}

std::string refused(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                    const Parameters& parameters = {}, bool probabilities = true) {
  return message_of([&] { judge_rows(scores, labels, no_yes, parameters, probabilities); });
}

const Parameters of_yes = {{"positive", std::string("yes")}, {"bins", std::int64_t{4}}};

}  // namespace

// scikit-learn 1.2.1: calibration_curve(n_bins=4), brier_score_loss, log_loss.
TEST_CASE("a reliability diagram of one class is scikit-learn's") {
  const Judged judged = judge_rows(of_second(eighths), happened, no_yes, of_yes);
  const Curve& curve = judged.report.curves.at("reliability");
  CHECK(same(curve.x, {1.0 / 6, 0.4375, 2.0 / 3, 0.9375}));
  CHECK(same(curve.y, {0, 0.5, 1, 1}));
  const Table& bins = judged.report.tables.at("bins");
  CHECK(bins.rows ==
        std::vector<std::string>{"0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1"});
  CHECK(column(bins, 0) == std::vector<double>{3, 4, 3, 2});
  const double error = (3.0 / 6 + 4 * 0.0625 + 3.0 / 3 + 2 * 0.0625) / 12;
  CHECK(judged.figure("expected_calibration_error") == doctest::Approx(error).epsilon(1e-14));
  CHECK(judged.figure("maximum_calibration_error") == doctest::Approx(1.0 / 3).epsilon(1e-14));
  // Over both classes: twice that of one.
  CHECK(judged.figure("brier_score") == doctest::Approx(2 * 0.12369791666666667).epsilon(1e-14));
  CHECK(judged.figure("log_loss") == doctest::Approx(0.39609106872049615).epsilon(1e-14));
}

TEST_CASE("a probability on a border is in the lower bin, whatever float32 makes of it") {
  // In float64, the float32 nearest to 0.7 is below it, those nearest to 0.8 and 0.6 are above.
  for (std::size_t bins = 2; bins <= 100; ++bins)
    for (std::size_t k = 1; k <= bins; ++k) {
      const float at = static_cast<float>(k) / static_cast<float>(bins);
      Parameters parameters = {{"positive", std::string("yes")}, {"bins", std::int64_t(bins)}};
      const Judged judged = judge_rows({1 - at, at}, {1}, no_yes, parameters);
      char range[64];
      std::snprintf(range, sizeof range, "%.4g to %.4g", double(k - 1) / double(bins),
                    double(k) / double(bins));
      CHECK(judged.report.tables.at("bins").rows == std::vector<std::string>{range});
    }
}

TEST_CASE("bins of equal count are scikit-learn's quantiles where they fall between rows") {
  Parameters parameters = of_yes;
  parameters.emplace_back("equal", std::string("count"));
  const Judged judged = judge_rows(of_second(eighths), happened, no_yes, parameters);
  const Curve& curve = judged.report.curves.at("reliability");
  CHECK(same(curve.x, {1.0 / 6, 0.4375, 0.625, 0.875}));
  CHECK(same(curve.y, {0, 0.5, 1, 1}));
  CHECK(judged.report.tables.at("bins").rows.front() == "0.125 to 0.25");
}

TEST_CASE("rows of equal probability are in one bin, in any order") {
  Parameters parameters = of_yes;
  parameters.emplace_back("equal", std::string("count"));
  const std::vector<float> tied = {4, 4, 4, 4, 4, 4, 6, 2};
  const std::vector<std::int32_t> labels = {0, 1, 1, 0, 1, 1, 1, 0};
  const Judged judged = judge_rows(of_second(tied), labels, no_yes, parameters);
  CHECK(column(judged.report.tables.at("bins"), 0) == std::vector<double>{7, 1});
  const Judged reversed = judge_rows(of_second({tied.rbegin(), tied.rend()}),
                                     {labels.rbegin(), labels.rend()}, no_yes, parameters);
  CHECK(judged.report.tables.at("bins").values == reversed.report.tables.at("bins").values);
}

TEST_CASE("without a class it is the probability of the class a row is assigned to") {
  const Sample s = sample(300, 4);
  const Judged judged = judge_rows(s.scores, s.labels, abc);
  // Guo et al. 2017, eq. (3), each bin counted anew.
  double expected = 0, largest = 0;
  for (int b = 0; b < 10; ++b) {
    double rows = 0, sum = 0, right = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      const float* row = &s.scores[3 * i];
      const auto at = std::max_element(row, row + 3) - row;
      if (!(double{row[at]} > b / 10.0 && double{row[at]} <= (b + 1) / 10.0)) continue;
      ++rows;
      sum += double{row[at]};
      right += s.labels[i] == at;
    }
    if (rows == 0) continue;
    expected += std::abs(right - sum) / 300;
    largest = std::max(largest, std::abs(right - sum) / rows);
  }
  CHECK(judged.figure("expected_calibration_error") == doctest::Approx(expected).epsilon(1e-12));
  CHECK(judged.figure("maximum_calibration_error") == doctest::Approx(largest).epsilon(1e-12));
}

// scikit-learn 1.2.1: log_loss.
TEST_CASE("log loss and Brier score of several classes") {
  const std::vector<float> scores = {.5F,  .25F, .25F, .125F, .75F, .125F, 0, .5F, .5F,
                                     .25F, .25F, .5F,  .625F, .25F, .125F, 0, 1,   0};
  const Judged judged = judge_rows(scores, {0, 1, 2, 0, 0, 2}, abc);
  CHECK(judged.figure("log_loss") == doctest::Approx(6.5956546355090753).epsilon(1e-13));
  CHECK(judged.figure("brier_score") ==
        doctest::Approx((0.375 + 0.09375 + 0.5 + 0.875 + 0.21875 + 2) / 6).epsilon(1e-14));
}

TEST_CASE("the parts of the Brier score add up to it, and of few values nothing hides in bins") {
  for (const char* equal : {"width", "count"}) {
    CAPTURE(equal);
    const Sample s = sample(200, 9);
    const Judged judged = judge_rows(s.scores, s.labels, abc, {{"equal", std::string(equal)}});
    CHECK(judged.figure("brier_reliability") - judged.figure("brier_resolution") +
              judged.figure("brier_uncertainty") + judged.figure("brier_within_bins") ==
          doctest::Approx(judged.figure("brier_score")).epsilon(1e-14));
    CHECK(judged.figure("brier_within_bins") != 0);
  }
  // Eighths in bins of one sixteenth, each of one value: Murphy's partition is exact.
  const Judged exact =
      judge_rows(of_second(eighths), happened, no_yes, {{"bins", std::int64_t{16}}});
  CHECK(std::abs(exact.figure("brier_within_bins")) < 1e-15);
  // Seven of the twelve samples are yes; twice, once per class.
  CHECK(exact.figure("brier_uncertainty") ==
        doctest::Approx(2 * (7.0 / 12) * (5.0 / 12)).epsilon(1e-14));
}

TEST_CASE("perfect forecasts have no error, and opposite ones the largest") {
  const Judged right = judge_rows({1, 0, 0, 1}, {0, 1}, no_yes);
  CHECK(right.figure("expected_calibration_error") == 0);
  CHECK(right.figure("brier_score") == 0);
  CHECK(right.figure("log_loss") < 1e-15);
  const Judged wrong = judge_rows({1, 0, 0, 1}, {1, 0}, no_yes);
  CHECK(wrong.figure("expected_calibration_error") == 1);
  CHECK(wrong.figure("maximum_calibration_error") == 1);
  CHECK(wrong.figure("brier_score") == 2);
}

TEST_CASE("what rounding puts above 1 is in the last bin") {
  const Judged judged = judge_rows({0, 1.000001F, 0, 1}, {1, 1}, no_yes, of_yes);
  CHECK(column(judged.report.tables.at("bins"), 0) == std::vector<double>{2});
}

TEST_CASE("rows without a label do not count in a calibration, and are reported") {
  const Judged with = judge_rows(of_second({1, 7, 6}), {0, -1, 1}, no_yes);
  const Judged without = judge_rows(of_second({1, 6}), {0, 1}, no_yes);
  CHECK(with.report.numbers == without.report.numbers);
  CHECK(with.report.integers.at("unlabelled") == 1);
  CHECK(with.lines == std::vector<std::string>{"1 of 3 test rows have no label and are excluded"});
}

TEST_CASE("what has no calibration is refused") {
  CHECK(refused({1, -1}, {0}, {}, false) ==
        "it judges probabilities, but the scores of 'mine' (solver/mine) are not; put "
        "calibrator/probabilities after it");
  // Whoever has not asked before is refused all the same.
  CHECK(message_of([] {
          MemoryReport report;
          TestContext context;
          const std::vector<float> scores = {1, -1};
          const std::vector<std::int32_t> labels = {0};
          Results test{{scores.data(), 1, 2, 2}, labels, no_yes};
          test.lineage.solver = "solver/mine";
          make_component<Evaluator>("evaluator/calibration")->evaluate(test, report, context);
        }) ==
        "it judges probabilities, but the scores of solver/mine are not; put "
        "calibrator/probabilities "
        "after it");
  CHECK(refused({0.75F, 0.75F}, {0}) ==
        "the scores of test row 0 (counted from 0) add up to 1.500000, but what gives them says "
        "that they are probabilities; this is a mistake in solver/mine");
  CHECK(refused({1.5F, -0.5F}, {0}) ==
        "a score of test row 0 (counted from 0) is -0.500000, but what gives it says that it is a "
        "probability; this is a mistake in solver/mine");
  CHECK(refused({0.5F, 0.5F}, {-1}) ==
        "no test row has a label; only labelled rows can be evaluated");
  CHECK(refused({}, {}) == "there are no test rows to evaluate; give the source test rows");
}

TEST_CASE("wrong parameters of a calibration are refused") {
  const auto wrong = [](const Parameters& parameters) {
    return refused({0.5F, 0.5F}, {0}, parameters);
  };
  CHECK(wrong({{"bins", std::int64_t{0}}}) ==
        "evaluator/calibration: 'bins' must be in the range [1, 1000], got 0");
  CHECK(wrong({{"equal", std::string("size")}}) ==
        "evaluator/calibration: 'equal' must be one of [width, count], got 'size'");
  CHECK(wrong({{"positive", std::string("maybe")}}) ==
        "'positive' names the class 'maybe', but the classes are 'no', 'yes'");
}

}  // namespace calibration_test
