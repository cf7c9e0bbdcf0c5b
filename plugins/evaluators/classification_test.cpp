// SPDX-License-Identifier: MIT
#include "classification.hpp"

#include <doctest/doctest.h>

#include "semblance/testing.hpp"

using namespace semblance;
using semblance::evaluators::Classification;

namespace {

const std::vector<std::string> abc = {"a", "b", "c"};

testing::MemoryReport evaluate(const std::vector<float>& scores,
                               const std::vector<std::int32_t>& labels,
                               const std::vector<std::string>& classes = abc,
                               const std::vector<std::int64_t>& top_k = {2}) {
  Classification evaluator;
  Classification::declare().entry().setters.at(0).value(evaluator, top_k);
  testing::MemoryReport report;
  testing::TestContext context;
  const std::size_t k = classes.size();
  evaluator.evaluate({{scores.data(), scores.size() / k, k, k}, labels, classes}, report, context);
  return report;
}

std::string message(const std::vector<float>& scores, const std::vector<std::int32_t>& labels) {
  try {
    evaluate(scores, labels);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("known scores give known figures") {
  //                          a: right   a: b wins   b: right   c: a wins, then c
  const auto report = evaluate({3, 2, 1, 1, 2, 0, 0, 1, 0, 2, 0, 1}, {0, 0, 1, 2});
  CHECK(report.integers.at("rows") == 4);
  CHECK(report.integers.at("errors") == 2);
  CHECK(report.numbers.at("error_rate") == 0.5);
  CHECK(report.numbers.at("accuracy") == 0.5);
  CHECK(report.numbers.at("mean_class_accuracy") == doctest::Approx(0.5));
  CHECK(report.numbers.at("top_2_accuracy") == 1.0);
  const Table& confusion = report.tables.at("confusion_matrix");
  CHECK(confusion.values == std::vector<double>{1, 1, 0, 0, 1, 0, 1, 0, 0});
  CHECK(confusion.row_label == "true class");
  const Table& classes = report.tables.at("classes");
  CHECK(classes.columns == std::vector<std::string>{"precision", "recall", "f1", "support"});
  const std::vector<double> expected = {0.5, 0.5, 0.5, 2, 0.5, 1, 2.0 / 3, 1, 0, 0, 0, 1};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(classes.values[i] == doctest::Approx(expected[i]));
}

TEST_CASE("between equal scores the class that comes first wins, and is first in the ranking") {
  const auto report = evaluate({1, 1, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 2}, abc, {1, 2});
  CHECK(report.integers.at("errors") == 2);
  CHECK(report.numbers.at("top_1_accuracy") == doctest::Approx(1.0 / 3));
  CHECK(report.numbers.at("top_2_accuracy") == 1.0);
}

TEST_CASE("a K that is not below the number of classes is left out") {
  const auto report = evaluate({1, 0, 0}, {0}, abc, {1, 3, 5});
  CHECK(report.numbers.count("top_1_accuracy") == 1);
  CHECK(report.numbers.count("top_3_accuracy") == 0);
  CHECK(report.numbers.count("top_5_accuracy") == 0);
}

TEST_CASE("classes without test rows do not count in the mean of the classes") {
  const auto report = evaluate({1, 0, 0, 0, 1, 0}, {0, 1});
  CHECK(report.numbers.at("mean_class_accuracy") == 1.0);
}

TEST_CASE("unusable test rows are named") {
  CHECK(message({1, 0, 0, 0, 1, 0}, {0, -1}) ==
        "test row 1 (counted from 0) has no label; only labelled rows can be evaluated");
  CHECK(message({1, 0, 0}, {3}) ==
        "test row 0 (counted from 0) has the label 3; labels must be in [0, 3)");
  CHECK(message({}, {}) == "there are no test rows to evaluate; give the source test rows");
  CHECK(message({1, std::numeric_limits<float>::quiet_NaN(), 0}, {0}) ==
        "a score of test row 0 (counted from 0) is NaN; check the rows the solver was given");
}
