// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "evaluator_testing.hpp"

namespace largest_errors_test {

using namespace semblance;
using namespace semblance::evaluators::testing;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

/// Judges estimates of the test samples; `truth` are the numbers of all samples.
Judged judge_worst(const std::vector<float>& estimates, const Numbers& truth,
                   const Names& names = {"y"}, const Parameters& parameters = {}) {
  const auto evaluator = make_component<Evaluator>("evaluator/errors", parameters);
  const NumberedPoints data(truth, names);
  Judged judged;
  TestContext context;
  const std::size_t t = names.size();
  Results test{.outputs = {estimates.data(), estimates.size() / t, t, t},
               .type = PortType::estimates,
               .targets = std::span(truth).subspan(2 * t),
               .target_names = names};
  test.lineage.maps = {{"first map", "similarity/rbf", 2, 2, 1, "x", "bases"}};
  test.data = &data;
  test.nearest_bases = [](std::size_t row, std::size_t count) {
    std::vector<NearBasis> near;
    for (std::size_t k = 0; k < std::min<std::size_t>(count, 2); ++k)
      near.push_back({0, 1 - k, static_cast<float>(10 * row + k)});
    return near;
  };
  evaluator->evaluate(test, judged.report, context);
  judged.lines = context.lines;
  return judged;
}

Names names_of(const Judged& judged) {
  Names names;
  for (const auto& entry : judged.report.sample_lists.at("samples").entries)
    names.push_back(entry.sample.name);
  return names;
}

}  // namespace

TEST_CASE("the samples with the largest errors come first, of equal ones the first row") {
  // Errors -1, 4, 0, -4, 2 of rows 12 to 16.
  const auto judged = judge_worst({0, 6.5F, 5, 4, 6}, {7, 8.5, 1, 2.5, 5, 8, 4});
  CHECK(names_of(judged) == Names{"odd.png", "row 15", "row 16", "row 12"});
  CHECK(judged.figure("largest_error") == doctest::Approx(4 / std::sqrt(37.0 / 5)));
  const Table& table = judged.report.tables.at("largest_errors");
  CHECK(table.rows.front() == "odd.png: 2.5 taken for 6.5");
  CHECK(table.values[0] == 13);
  CHECK(Numbers(table.values.begin() + 4, table.values.begin() + 8) == Numbers{15, 8, 4, -4});
  const SampleList& list = judged.report.sample_lists.at("samples");
  CHECK(list.columns == Names{"height", "weight"});
  const SampleList::Entry& first = list.entries.front();
  CHECK(first.sample.values == std::vector<float>{30, 31});
  CHECK(first.sample.label == "2.5");
  CHECK(first.predicted == "6.5");
  CHECK(first.scores.at(0).score == 4);
  CHECK(first.nearest.at(0).sample.name == "row 11");
  CHECK(first.nearest.at(0).sample.label == "8.5");
  CHECK(first.nearest.at(1).similarity == 11);
  CHECK(first.nearest.at(0).map == "first map");
}

TEST_CASE("errors of several targets are compared in units of each one's RMSE") {
  // v has errors a thousand times those of u, but the first row's of u is its outlier.
  const auto judged = judge_worst({9, 1000, 0, -1000, 0, 1001, 0, -1000},
                                  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {"u", "v"});
  CHECK(names_of(judged).front() == "row 12");
  CHECK(judged.figure("largest_error") == doctest::Approx(2));
  CHECK(judged.report.tables.at("largest_errors").rows.at(0) == "row 12: u 0 taken for u 9");
  CHECK(judged.report.tables.at("largest_errors").rows.at(1) == "row 14: v 0 taken for v 1001");
}

TEST_CASE("only so many samples and bases are drawn as asked for") {
  const auto judged = judge_worst({0, 6.5F, 5, 4, 6}, {7, 8.5, 1, 2.5, 5, 8, 4}, {"y"},
                                  {{"count", std::int64_t{2}}, {"bases", std::int64_t{0}}});
  CHECK(names_of(judged) == Names{"odd.png", "row 15"});
  CHECK(judged.report.sample_lists.at("samples").entries.front().nearest.empty());
}

TEST_CASE("where all estimates are right, nothing is drawn; unknown numbers neither") {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto right = judge_worst({1, 2}, {7, 8, 1, 2});
  CHECK(right.figure("largest_error") == 0);
  CHECK(right.report.sample_lists.empty());
  const auto some = judge_worst({1, 2, 3}, {7, 8, unknown, 2, 5});
  CHECK(names_of(some) == Names{"row 14"});
  CHECK(some.report.integers.at("unlabelled") == 1);
}

}  // namespace largest_errors_test
