// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "evaluator_testing.hpp"

namespace complexity_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

const std::vector<std::string> ten(10, "class");

MapFacts map(std::size_t bases, std::size_t width, double operations, const std::string& samples,
             const std::string& basis = "bases") {
  return {"map of " + samples, "similarity/test", bases, width, operations, samples, basis};
}

Lineage lineage(std::size_t width, std::vector<MapFacts> maps,
                std::map<std::string, double> figures) {
  return {"solver/test", width, 10000, std::move(maps), std::move(figures), {}};
}

}  // namespace

TEST_CASE("the two-resolution set of the paper is counted as in its figure 4") {
  // H8R, H4(2,0), H4(0,1), H8(1,0) on 10 x 250 bases.
  const auto report = judge("evaluator/complexity",
                            lineage(10000,
                                    {map(2500, 496, 1000, "x8"), map(2500, 1984, 90000, "x4"),
                                     map(2500, 1984, 30000, "x4"), map(2500, 496, 5000, "x8")},
                                    {{"parameters", 100010}}),
                            ten);
  CHECK(report.integers.at("supporting_exemplars") == 2500);
  CHECK(report.integers.at("parameters") == 2500 * (496 + 1984 + 4));
  CHECK(report.integers.at("learned_parameters") == 100010);
  CHECK(report.integers.at("similarity_measures") == 4);
  const Table& costs = report.tables.at("costs");
  CHECK(costs.rows == std::vector<std::string>{"K SVM", "BE-SVM"});
  const double n = 10000, values = 2480, operations = 126000;
  const std::vector<double> expected = {n * values + n * n / 10,
                                        n * n * operations + n * n * n / 10,
                                        n * values,
                                        n * 10 * operations,
                                        n * values + n * 4 * 2500,
                                        n * 10 * 2500 * operations,
                                        2500 * values,
                                        2500 * 10 * operations};
  CHECK(costs.values == expected);
  CHECK(report.numbers.at("training_memory") == expected[4]);
  CHECK(report.numbers.at("training_computation") == expected[5]);
  CHECK(report.numbers.at("testing_memory") == expected[6]);
  CHECK(report.numbers.at("testing_computation") == expected[7]);
}

TEST_CASE("bases that are chosen apart add up") {
  const auto report = judge(
      "evaluator/complexity",
      lineage(70, {map(30, 5, 10, "x", "some"), map(40, 5, 10, "x", "others")}, {}), {"a", "b"});
  CHECK(report.integers.at("supporting_exemplars") == 70);
  CHECK(report.integers.at("parameters") == 70 * (5 + 2));
  CHECK(report.integers.count("learned_parameters") == 0);
}

TEST_CASE("a kernel machine has its support vectors and a coefficient for each") {
  const auto report =
      judge("evaluator/complexity", lineage(496, {}, {{"support_vectors", 4000}}), ten);
  CHECK(report.integers.at("supporting_exemplars") == 4000);
  CHECK(report.integers.at("parameters") == 4000 * 497);
  const Table& costs = report.tables.at("costs");
  CHECK(costs.rows == std::vector<std::string>{"K SVM", "BE-SVM"});
  CHECK(report.numbers.at("training_memory") == 1e4 * 496 + 1e8 / 10);
  CHECK(report.numbers.at("training_computation") == 1e8 * 992 + 1e12 / 10);
  CHECK(report.numbers.at("testing_computation") == 1e4 * 10 * 992);
  CHECK(costs.values[6] == 4000.0 * 496);
}

TEST_CASE("a kernel machine that reports its own counts is believed") {
  const auto report = judge(
      "evaluator/complexity",
      lineage(1, {}, {{"support_vectors", 50}, {"parameters", 5050}, {"kernel_operations", 300}}),
      ten);
  CHECK(report.integers.at("parameters") == 5050);
  CHECK(report.integers.at("learned_parameters") == 5050);
  CHECK(report.numbers.at("testing_computation") == 1e4 * 10 * 300);
}

TEST_CASE("a kernel machine on a map needs the bases and its support vectors") {
  const auto report =
      judge("evaluator/complexity", lineage(20, {map(20, 3, 6, "x")}, {{"support_vectors", 100}}),
            {"a", "b"});
  CHECK(report.integers.at("supporting_exemplars") == 120);
  CHECK(report.integers.at("parameters") == 100 * 21 + 20 * (3 + 1));
}

TEST_CASE("a linear classifier has as many parameters as a sample has values") {
  const auto report =
      judge("evaluator/complexity", lineage(1984, {}, {{"parameters", 19850}}), ten);
  CHECK(report.integers.at("supporting_exemplars") == 0);
  CHECK(report.integers.at("parameters") == 1984);
  CHECK(report.integers.at("learned_parameters") == 19850);
  const Table& costs = report.tables.at("costs");
  CHECK(costs.rows == std::vector<std::string>{"linear SVM"});
  CHECK(costs.values == std::vector<double>{1984e4, 1984e5, 1984, 19840});
  CHECK(report.numbers.at("testing_memory") == 1984);
}

}  // namespace complexity_test
