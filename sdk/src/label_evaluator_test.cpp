// SPDX-License-Identifier: MIT
#include "semblance/label_evaluator.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "semblance/component_testing.hpp"

namespace semblance::label_evaluator_test {
namespace {

using namespace testing;

const std::vector<std::string> abc = {"a", "b", "c"};

/// Records its input.
class Recorder final : public LabelEvaluator {
 public:
  mutable std::vector<std::int32_t> truth, predicted;
  mutable std::vector<std::string> classes;

 private:
  void evaluate_labels(const PredictedLabels& test, Report& report, Context&) const override {
    truth.assign(test.truth.begin(), test.truth.end());
    predicted.assign(test.predicted.begin(), test.predicted.end());
    classes.assign(test.classes.begin(), test.classes.end());
    report.number("called", 1);
  }
};

MemoryReport evaluate(const Evaluator& evaluator, const std::vector<float>& scores,
                      const std::vector<std::int32_t>& labels,
                      const std::vector<std::string>& classes = abc) {
  MemoryReport report;
  TestContext context;
  const std::size_t columns = abc.size();
  evaluator.evaluate({{scores.data(), scores.size() / columns, columns, columns}, labels, classes},
                     report, context);
  return report;
}

std::string complaint(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                      const std::vector<std::string>& classes = abc) {
  try {
    evaluate(Recorder(), scores, labels, classes);
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("it is given the true classes and those with the largest, first score") {
  const Recorder evaluator;
  const auto report = evaluate(evaluator, {1, 0, 0, 0, 3, 3, 0, 0, 1}, {2, 1, 0});
  CHECK(evaluator.truth == std::vector<std::int32_t>{2, 1, 0});
  CHECK(evaluator.predicted == std::vector<std::int32_t>{0, 1, 2});
  CHECK(evaluator.classes == abc);
  CHECK(report.numbers.at("called") == 1);
}

TEST_CASE("test rows that cannot be evaluated are named") {
  CHECK(complaint({}, {}) == "there are no test rows to evaluate; give the source test rows");
  CHECK(complaint({1, 0, 0, 0, 1, 0}, {0, -1}) ==
        "test row 1 (counted from 0) has no label; only labelled rows can be evaluated");
  CHECK(complaint({1, 0, 0}, {3}) ==
        "test row 0 (counted from 0) has the label 3; labels must be in [0, 3)");
  CHECK(complaint({1, 0, 0}, {0, 1}) == "2 labels for 1 test rows; there must be one per row");
  CHECK(complaint({1, 0, 0}, {0}, {"a", "b"}) ==
        "the scores have 3 columns for 2 classes; it takes at least 2 classes with one score each");
  CHECK(complaint({1, std::numeric_limits<float>::quiet_NaN(), 0}, {0}) ==
        "a score of test row 0 (counted from 0) is NaN; check the rows the solver was given");
}

TEST_CASE("a stop request ends it") {
  const float scores[] = {1, 0, 0};
  const std::int32_t label = 0;
  MemoryReport report;
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(Recorder().evaluate({{scores, 1, 3, 3}, {&label, 1}, abc}, report, context),
                  Cancelled);
}

}  // namespace semblance::label_evaluator_test
