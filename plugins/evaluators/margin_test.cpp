// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

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
