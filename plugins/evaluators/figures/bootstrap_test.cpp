// SPDX-License-Identifier: MIT
#include "figures/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "evaluator_testing.hpp"
#include "figures/judged_targets.hpp"

namespace bootstrap_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Test rows, as an evaluator judges them.
struct TestRows {
  std::string evaluator;
  PortType type = PortType::scores;
  std::size_t columns = 1;
  std::vector<float> outputs = {};
  std::vector<std::int32_t> labels = {}, groups = {};
  std::vector<double> targets = {};

  void add(std::span<const float> output, std::int32_t label, double target, std::int32_t group) {
    outputs.insert(outputs.end(), output.begin(), output.end());
    labels.push_back(label);
    targets.push_back(target);
    groups.push_back(group);
  }
};

Judged judge(const TestRows& rows, const Parameters& parameters = {}) {
  const auto evaluator = make_component<Evaluator>(rows.evaluator, parameters);
  const std::vector<std::string> y = {"y"};
  const bool classes = rows.type == PortType::scores || rows.type == PortType::novelty;
  Results test{{rows.outputs.data(), rows.labels.size(), rows.columns, rows.columns}, rows.labels};
  if (classes)
    test.classes = ham_spam;
  else
    test.targets = rows.targets, test.target_names = y;
  test.type = rows.type;
  test.sets = rows.evaluator == "evaluator/coverage";
  test.groups = rows.groups;
  const std::vector<float> artificial = {-0.4F, -0.3F, 0.2F, -0.1F};
  if (evaluator->needs().probes) test.probe_scores = {artificial.data(), artificial.size(), 1, 1};
  Judged judged;
  TestContext context;
  evaluator->evaluate(test, judged.report, context);
  judged.lines = context.lines;
  return judged;
}

/// Row i is of group i.
TestRows random_rows(TestRows rows, std::size_t count) {
  Random random(7);
  std::vector<float> output(rows.columns);
  for (std::size_t i = 0; i < count; ++i) {
    for (float& x : output) x = static_cast<float>(random.normal());
    if (rows.type == PortType::intervals) std::ranges::sort(output);
    rows.add(output, static_cast<std::int32_t>(i % 2), output[rows.columns / 2] + random.normal(),
             static_cast<std::int32_t>(i));
  }
  return rows;
}

/// Every evaluator with intervals, and each kind of results that it judges.
std::vector<TestRows> all_kinds() {
  std::vector<TestRows> all;
  for (const TestRows& kind :
       std::initializer_list<TestRows>{{"evaluator/regression", PortType::estimates, 1},
                                       {"evaluator/regression", PortType::intervals, 3},
                                       {"evaluator/coverage", PortType::intervals, 3},
                                       {"evaluator/coverage", PortType::scores, 2},
                                       {"evaluator/ranking", PortType::scores, 2},
                                       {"evaluator/novelty", PortType::novelty, 1}})
    all.push_back(random_rows(kind, 40));
  return all;
}

std::vector<double> intervals_of(const Judged& judged) {
  return judged.report.tables.at("intervals").values;
}

}  // namespace

TEST_CASE("the intervals of rows that are each a group are those of rows") {
  for (TestRows rows : all_kinds()) {
    CAPTURE(rows.evaluator);
    const std::vector<double> own_groups = intervals_of(judge(rows));
    std::ranges::fill(rows.groups, -1);
    CHECK(intervals_of(judge(rows)) == own_groups);
    rows.groups.clear();
    CHECK(intervals_of(judge(rows)) == own_groups);
  }
}

TEST_CASE("copies in the group of a row change no interval") {
  constexpr std::size_t times = 5;
  for (const TestRows& rows : all_kinds()) {
    CAPTURE(rows.evaluator);
    TestRows copies{rows.evaluator, rows.type, rows.columns};
    const auto output = [&](std::size_t i) {
      return std::span(rows.outputs).subspan(i * rows.columns, rows.columns);
    };
    copies.add(output(9), -1, unknown, 7);  // is not judged
    for (std::size_t copy = 0; copy < times; ++copy)
      for (std::size_t i = 0; i < rows.labels.size(); ++i)
        copies.add(output(i), rows.labels[i], rows.targets[i], rows.groups[i]);
    const auto wanted = intervals_of(judge(rows)), found = intervals_of(judge(copies));
    REQUIRE(found.size() == wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      CHECK(found[k] == doctest::Approx(wanted[k]).epsilon(1e-9));
    copies.groups.clear();
    const auto narrow = intervals_of(judge(copies));
    CHECK(narrow[2] - narrow[1] < 0.6 * (wanted[2] - wanted[1]));
  }
}

TEST_CASE("whole groups are drawn: a brute-force bootstrap of groups with the same draws") {
  TestRows rows{"evaluator/regression", PortType::estimates};
  Random random(3);
  constexpr std::size_t groups = 12;
  std::vector<std::vector<double>> errors(groups);  // of each group
  for (std::size_t i = 0; i < 90; ++i) {
    // Sizes are unequal, and the groups in the order of first occurrence.
    const std::size_t group = i < groups ? i : random.below(1 + random.below(groups));
    const auto estimate = static_cast<float>(random.normal());
    const double truth = random.normal() + static_cast<double>(group % 3);
    rows.add({&estimate, 1}, -1, truth, 100 - static_cast<std::int32_t>(group));
    errors[group].push_back(double{estimate} - truth);
  }
  constexpr std::size_t draws = 300;
  const std::uint64_t seed = TestContext().random().bits();
  std::vector<double> rmse, mean;
  for (std::size_t d = 0; d < draws; ++d) {
    Random draw = Random::stream(seed, d);
    double squares = 0, sum = 0, count = 0;
    for (std::size_t k = 0; k < groups; ++k)
      for (const double error : errors[draw.below(groups)])
        squares += error * error, sum += error, ++count;
    rmse.push_back(std::sqrt(squares / count));
    mean.push_back(sum / count);
  }
  std::ranges::sort(rmse);
  std::ranges::sort(mean);
  const Judged judged = judge(rows, {{"bootstrap", std::int64_t{draws}}, {"confidence", 0.9}});
  const std::vector<double> found = intervals_of(judged);
  CHECK(judged.figure("rmse_low") == doctest::Approx(quantile(rmse, 0.05)).epsilon(1e-12));
  CHECK(judged.figure("rmse_high") == doctest::Approx(quantile(rmse, 0.95)).epsilon(1e-12));
  CHECK(judged.report.tables.at("intervals").rows[3] == "mean_error");
  CHECK(found[3 * 3 + 1] == doctest::Approx(quantile(mean, 0.05)).epsilon(1e-12));
  CHECK(found[3 * 3 + 2] == doctest::Approx(quantile(mean, 0.95)).epsilon(1e-12));
}

TEST_CASE("the interval of a mean is as wide as its standard error by clusters") {
  TestRows rows{"evaluator/regression", PortType::estimates};
  Random random(5);
  constexpr std::size_t groups = 400, size = 8;
  for (std::size_t g = 0; g < groups; ++g) {
    const double shared = random.normal();
    for (std::size_t i = 0; i < size; ++i) {
      const auto estimate = static_cast<float>(shared + random.normal());
      rows.add({&estimate, 1}, -1, 0.001 * double(i), static_cast<std::int32_t>(g));
    }
  }
  const Judged judged = judge(rows, {{"bootstrap", std::int64_t{4000}}});
  double squares = 0;  // of the sums of each cluster's deviations
  for (std::size_t g = 0; g < groups; ++g) {
    double sum = 0;
    for (std::size_t i = g * size; i < (g + 1) * size; ++i)
      sum += double{rows.outputs[i]} - rows.targets[i] - judged.figure("mean_error");
    squares += sum * sum;
  }
  const double error = std::sqrt(squares) / (groups * size);
  const std::vector<double> found = intervals_of(judged);
  CHECK(found[3 * 3 + 2] - found[3 * 3 + 1] == doctest::Approx(2 * 1.96 * error).epsilon(0.05));
}

TEST_CASE("rows of one group say nothing about other groups") {
  constexpr const char* none =
      "there are no confidence intervals: all test rows whose group is known are of one group; "
      "use test rows of more groups, or bootstrap: 0";
  std::vector<std::pair<TestRows, Parameters>> cases;
  for (const TestRows& rows : all_kinds()) cases.emplace_back(rows, Parameters{});
  cases.emplace_back(cases.back().first, Parameters{{"artificial", true}});
  for (const auto& [given, parameters] : cases) {
    TestRows rows = given;
    CAPTURE(rows.evaluator);
    std::ranges::fill(rows.groups, 3);
    const Judged judged = judge(rows, parameters);
    CHECK(judged.report.tables.count("intervals") == 0);
    for (const auto& [name, value] : judged.report.numbers)
      CHECK(!(name.ends_with("_low") || name.ends_with("_high")));
    CHECK(std::ranges::count_if(judged.lines, [&](const std::string& line) {
            return line.find(none) != std::string::npos;
          }) == 1);
    Parameters no_draws = parameters;
    no_draws.emplace_back("bootstrap", std::int64_t{0});
    const Judged quiet = judge(rows, no_draws);
    CHECK(quiet.lines.empty());
    CHECK(quiet.report.numbers == judged.report.numbers);
    rows.groups[0] = 4;
    CHECK(judge(rows, parameters).report.tables.count("intervals") == 1);
  }
}

TEST_CASE("one row has no interval: all draws are that row") {
  TestRows row = random_rows({"evaluator/regression", PortType::estimates, 1}, 1);
  row.groups.clear();
  const Judged judged = judge(row);
  CHECK(judged.report.tables.count("intervals") == 0);
  CHECK(judged.report.numbers.count("rmse_low") == 0);
  CHECK(std::ranges::count(judged.lines,
                           "there are no confidence intervals of one test row; use more, or "
                           "bootstrap: 0") == 1);
}

}  // namespace bootstrap_test
