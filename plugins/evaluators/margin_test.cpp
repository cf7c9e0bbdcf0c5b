// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "evaluator_testing.hpp"

namespace margin_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A solver whose problems have these squared norms.
Lineage solver(const std::vector<double>& norms) {
  Lineage lineage;
  lineage.solver = "solver/test";
  lineage.tables.push_back({"other", "row", "", {"a"}, {"norm"}, {3}});
  Table table{"problems", "class against the rest", "", {}, {"objective", "squared norm"}, {}};
  for (std::size_t i = 0; i < norms.size(); ++i) {
    table.rows.push_back("class " + std::to_string(i));
    table.values.insert(table.values.end(), {100.0, norms[i]});
  }
  lineage.tables.push_back(table);
  return lineage;
}

MemoryReport margins(const std::vector<double>& norms) {
  return judge("evaluator/margin", solver(norms), {"a", "b"});
}

}  // namespace

TEST_CASE("the margins are one divided by the squared norms") {
  const auto report = margins({4, 0.5, 1});
  CHECK(report.numbers.at("smallest_margin") == 0.25);
  CHECK(report.numbers.at("mean_margin") == doctest::Approx(3.25 / 3));
  CHECK(report.integers.at("problems") == 3);
  CHECK(report.integers.at("without_margin") == 0);
  const Table& table = report.tables.at("margins");
  CHECK(table.row_label == "class against the rest");
  CHECK(table.rows == std::vector<std::string>{"class 0", "class 1", "class 2"});
  CHECK(table.columns == std::vector<std::string>{"squared norm", "margin"});
  CHECK(table.values == std::vector<double>{4, 0.25, 0.5, 2, 1, 1});
}

TEST_CASE("weights of zero have an infinite margin") {
  const auto report = margins({0, 2});
  CHECK(report.numbers.at("smallest_margin") == 0.5);
  CHECK(report.numbers.at("mean_margin") == infinity);
}

TEST_CASE("problems without a margin are counted and left out") {
  const auto report = margins({-1, 2, unknown});
  CHECK(report.numbers.at("smallest_margin") == 0.5);
  CHECK(report.numbers.at("mean_margin") == 0.5);
  CHECK(report.integers.at("without_margin") == 2);
  CHECK(std::isnan(report.tables.at("margins").values[1]));
  CHECK(message_of([] {
          margins({-1, -2});
        }) ==
        "no problem has a margin: w^T w is negative or unknown in all 2; make the kernel positive "
        "semi-definite");
}

namespace {

/// The curves for scores of these test samples.
MemoryReport with_scores(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                         const std::vector<std::string>& classes) {
  MemoryReport report;
  TestContext context;
  const std::size_t k = classes.size();
  make_component<Evaluator>("evaluator/margin", {})
      ->evaluate({{scores.data(), labels.size(), k, k}, labels, classes, solver({1})}, report,
                 context);
  return report;
}

}  // namespace

TEST_CASE("the margins of the test rows are histograms by class") {
  // Margins 3 and -1 of a, 0.5 of b; the last two rows have no label and no finite margin.
  const float infinite = std::numeric_limits<float>::infinity();
  const auto report =
      with_scores({2, -1, 0, 1, 0.25F, 0.75F, 5, 5, infinite, 0}, {0, 0, 1, -1, 0}, {"a", "b"});
  const Curve& a = report.curves.at("test_margins_a");
  const Curve& b = report.curves.at("test_margins_b");
  REQUIRE(a.y.size() == 32);
  CHECK(a.x == b.x);
  CHECK(a.x.front() == doctest::Approx(-1 - 4.0 / 60));
  CHECK(a.x.back() == doctest::Approx(3 + 4.0 / 60));
  CHECK(a.y[1] == 0.5);   // -1
  CHECK(a.y[30] == 0.5);  // 3
  CHECK(std::accumulate(a.y.begin(), a.y.end(), 0.0) == doctest::Approx(1));
  CHECK(b.y[12] == 1);  // 0.5 is 1.5 / 4 of the way
  CHECK(a.y.front() == 0);
  CHECK(a.y.back() == 0);
}

TEST_CASE("margins that are all the same have one bin, rows without labels none") {
  const Curve same = with_scores({1, 0, 1, 0}, {0, 0}, {"a", "b"}).curves.at("test_margins_a");
  CHECK(same.x == std::vector<double>{0, 1, 2});
  CHECK(same.y == std::vector<double>{0, 1, 0});
  CHECK(with_scores({1, 0}, {-1}, {"a", "b"}).curves.empty());
}

TEST_CASE("with many classes there is one histogram") {
  std::vector<std::string> classes;
  std::vector<std::int32_t> labels;
  std::vector<float> scores(13 * 13);
  for (int c = 0; c < 13; ++c) {
    classes.push_back("c" + std::to_string(c));
    labels.push_back(c);
    scores[static_cast<std::size_t>(14 * c)] = static_cast<float>(c);
  }
  const auto report = with_scores(scores, labels, classes);
  CHECK(report.curves.size() == 1);
  CHECK(report.curves.contains("test_margins"));
}

TEST_CASE("a solver that does not report its norms is named") {
  Lineage silent = solver({1});
  silent.tables.pop_back();
  CHECK(message_of([&] {
          judge("evaluator/margin", silent, {"a", "b"});
        }) ==
        "the solver solver/test does not report the size of its weights: none of its tables has a "
        "column 'squared norm'; use one that does, such as solver/linear_svm");
}

}  // namespace margin_test
