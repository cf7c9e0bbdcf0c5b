// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "evaluator_testing.hpp"

namespace novelty_explanations_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

struct Explained {
  MemoryReport report;
  const std::vector<ExplainedSamples::Entry>& entries() const {
    return report.explained.at("explanations").entries;
  }
};

/// One training sample comes before the test samples.
Explained explain_scores(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                         const Parameters& parameters = {}) {
  const auto evaluator =
      make_component<NoveltyEvaluator>("evaluator/novelty_explanations", parameters);
  std::vector<std::int32_t> all{0};
  all.insert(all.end(), labels.begin(), labels.end());
  const Points data(std::vector<float>(2 * all.size()), all, 1, Layout::vector(2), ham_spam);
  Explained made;
  TestContext context;
  Scored test{{scores.data(), scores.size(), 1, 1}, labels, ham_spam};
  test.data = &data;
  test.explain = [&](std::span<const std::size_t> rows, std::size_t) {
    std::vector<Explanation> list;
    for (const std::size_t row : rows) {
      Explanation each{.explained = "score", .value = double{scores[row]}};
      each.examples = {{"svm", 0, 0, "", 1, 2, 2}};
      list.push_back(each);
    }
    return list;
  };
  evaluator->evaluate(test, made.report, context);
  return made;
}

}  // namespace

TEST_CASE("the most novel samples are explained first, with or without classes") {
  const Explained made = explain_scores({1, -2, 0, -0.5F, -2}, {0, 1, 0, -1, 0});
  const auto& entries = made.entries();
  REQUIRE(entries.size() == 4);
  const std::vector<std::int64_t> numbers = {2, 5, 4, 3};
  for (std::size_t k = 0; k < 4; ++k) CHECK(entries[k].number == numbers[k]);
  CHECK(made.report.explained.at("explanations").of == ExplainedSamples::Of::novelty);
  CHECK(made.report.integers.at("explained") == 4);
  CHECK(entries[0].sample.label == "spam");
  CHECK(entries[0].predicted == "novel");
  CHECK(entries[2].sample.label.empty());
  CHECK(entries[3].predicted == "usual");  // a score of 0
  REQUIRE(entries[0].examples.size() == 1);
  CHECK(entries[0].examples[0].label == "ham");
}

TEST_CASE("novel samples may be named") {
  const Explained made = explain_scores({1, -2}, {0, 1}, {{"rows", std::vector<std::int64_t>{1}}});
  REQUIRE(made.entries().size() == 1);
  CHECK(made.entries()[0].explanation.value == 1);
  CHECK(message_of([] {
          explain_scores({1, -2}, {0, 1}, {{"rows", std::vector<std::int64_t>{0}}});
        }) == "'rows' names the sample 0, which is none of the test samples");
}

}  // namespace novelty_explanations_test
