// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "evaluator_testing.hpp"

namespace explained_estimates_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Explained {
  Judged judged;
  std::vector<std::size_t> targets;  ///< one per explained sample, as asked for
  const std::vector<ExplainedSamples::Entry>& entries() const {
    return judged.report.explained.at("explanations").entries;
  }
  std::vector<std::int64_t> numbers() const {
    std::vector<std::int64_t> all;
    for (const auto& entry : entries()) all.push_back(entry.number);
    return all;
  }
};

/// Explains estimates of the test samples; `truth` are the numbers of all samples.
Explained explain_estimates(const std::vector<float>& estimates, const Numbers& truth,
                            const Names& names = {"y"}, const Parameters& parameters = {},
                            bool refused = false) {
  const auto evaluator = make_component<Evaluator>("evaluator/explanations", parameters);
  const NumberedPoints data(truth, names);
  Explained made;
  TestContext context;
  const std::size_t t = names.size();
  Results test{.outputs = {estimates.data(), estimates.size() / t, t, t},
               .type = PortType::estimates,
               .targets = std::span(truth).subspan(2 * t),
               .target_names = names};
  test.data = &data;
  test.explain = [&](std::span<const std::size_t> rows, std::size_t, std::size_t target) {
    if (refused) throw Error("its samples have no parts");
    std::vector<Explanation> all;
    for (const std::size_t row : rows) {
      made.targets.push_back(target);
      Explanation each{.explained = names[target]};
      each.value = static_cast<double>(row);
      each.examples = {{"svr", 0, 1, "", 1, 2, 2}, {"svr", 1, 0, "", 1, -1, -1}};
      all.push_back(each);
    }
    return all;
  };
  evaluator->evaluate(test, made.judged.report, context);
  made.judged.lines = context.lines;
  return made;
}

const Numbers six = {7, 8, 1, 2, 3, 4};  // two training samples
const std::vector<float> four = {1.5F, 0, 3, 5};

}  // namespace

TEST_CASE("the estimates with the largest errors are explained") {
  const Explained made = explain_estimates(four, six);
  CHECK(made.numbers() == std::vector<std::int64_t>{13, 15, 12});
  CHECK(made.judged.report.integers.at("explained") == 3);
  CHECK(made.judged.report.integers.at("rows") == 4);
  const ExplainedSamples& list = made.judged.report.explained.at("explanations");
  CHECK(list.of == ExplainedSamples::Of::numbers);
  const auto& first = list.entries[0];
  CHECK(first.sample.label == "2");
  CHECK(first.predicted == "0");
  CHECK(first.explanation.value == 1);  // the second test row
  REQUIRE(first.examples.size() == 2);
  CHECK(first.examples[0].name == "row 11");
  CHECK(first.examples[0].label == "8");
  CHECK(first.examples[1].label == "7");
  CHECK(explain_estimates(four, six, {"y"}, {{"count", std::int64_t{1}}}).numbers() ==
        std::vector<std::int64_t>{13});
}

TEST_CASE("samples may be named, also where their number is unknown") {
  const Parameters named{{"rows", std::vector<std::int64_t>{14, 12}}};
  CHECK(explain_estimates(four, six, {"y"}, named).numbers() == std::vector<std::int64_t>{14, 12});
  const Explained made =
      explain_estimates(four, {7, 8, unknown, unknown, unknown, unknown}, {"y"}, named);
  CHECK(made.numbers() == std::vector<std::int64_t>{14, 12});
  CHECK(made.entries()[0].sample.label.empty());
  CHECK(made.entries()[1].predicted == "1.5");
  CHECK(message_of([] {
          explain_estimates(four, {7, 8, unknown, unknown, unknown, unknown});
        }) == "no test row has a number to compare estimates with; give the test rows theirs");
}

TEST_CASE("of several numbers that with the largest error is explained, or the one that is named") {
  // Two training samples. The RMSE of u is 0.35, that of v 3.5.
  const Numbers truth = {0, 0, 0, 0, 1, 10, 2, 20};
  const std::vector<float> estimates = {1.5F, 10, 2, 25};
  const Names names = {"u", "v"};
  const Explained made = explain_estimates(estimates, truth, names);
  CHECK(made.targets == std::vector<std::size_t>{0, 1});
  CHECK(made.entries()[0].explanation.explained == "u");
  CHECK(made.entries()[0].sample.label == "1");
  CHECK(made.entries()[1].explanation.explained == "v");
  CHECK(made.entries()[1].sample.label == "20");
  const Explained one = explain_estimates(estimates, truth, names, {{"target", std::string("v")}});
  CHECK(one.targets == std::vector<std::size_t>{1});
  CHECK(one.entries()[0].number == 13);
  CHECK(message_of([&] {
          explain_estimates(estimates, truth, names, {{"target", std::string("w")}});
        }) == "'target' names the number 'w', which is none of the targets");
  CHECK(message_of([] {
          make_component<Evaluator>("evaluator/explanations", {{"target", std::string("v")}})
              ->check_scores({"svm", "solver/kernel_svm", {}});
        }) == "'target' names a number, but 'svm' (solver/kernel_svm) estimates none; remove it");
}

TEST_CASE("a regressor that cannot be explained is a warning, and the run goes on") {
  const Explained made = explain_estimates(four, six, {"y"}, {}, true);
  CHECK(made.judged.report.explained.empty());
  CHECK(made.judged.report.texts.at("not_explained") == "its samples have no parts");
  CHECK(made.judged.lines ==
        std::vector<std::string>{"no sample is explained: its samples have no parts"});
}

}  // namespace explained_estimates_test
