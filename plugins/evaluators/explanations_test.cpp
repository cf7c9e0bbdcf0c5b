// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "evaluator_testing.hpp"

namespace explanations_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

/// Two training samples of classes b and c, then test samples, numbered from 10 in the data.
class Numbered final : public Dataset {
 public:
  explicit Numbered(const std::vector<std::int32_t>& tested) : labels_{1, 2} {
    labels_.insert(labels_.end(), tested.begin(), tested.end());
    outline_ = {Layout::vector(2), 2, tested.size(), abc};
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      for (float& value : out.row_span(i)) value = static_cast<float>(first + i);
  }
  std::size_t bytes() const noexcept override { return 0; }
  std::int64_t number(std::size_t row) const override { return 10 + std::int64_t(row); }

 private:
  Outline outline_;
  std::vector<std::int32_t> labels_;
};

struct Explained {
  MemoryReport report;
  std::vector<std::string> lines;
  std::size_t background = 0;  ///< as asked for
  const std::vector<ExplainedSamples::Entry>& entries() const {
    return report.explained.at("explanations").entries;
  }
  std::vector<std::int64_t> numbers() const {
    std::vector<std::int64_t> all;
    for (const auto& entry : entries()) all.push_back(entry.number);
    return all;
  }
};

enum class Answer { sums, without_rows, refusal };

Explained explain_rows(const std::vector<std::int32_t>& labels, const Parameters& parameters = {},
                       Answer answer = Answer::sums, bool new_data = false) {
  //                                 right by 2  a: b by 2  b: a by 5  c: b by 3  a: right by 1
  const std::vector<float> scores = {3, 1, 0, 1, 3, 0, 6, 1, 2, 0, 3, 0, 2, 1, 0};
  const auto evaluator = make_component<Evaluator>("evaluator/explanations", parameters);
  const Numbered data(labels);
  Explained made;
  TestContext context;
  Results test{{scores.data(), labels.size(), 3, 3}, labels, abc};
  test.data = &data;
  test.new_data = new_data;
  test.explain = [&](std::span<const std::size_t> rows, std::size_t background, std::size_t) {
    if (answer == Answer::refusal) throw Error("its samples have no parts");
    made.background = background;
    std::vector<Explanation> all;
    for (const std::size_t row : rows) {
      Explanation each{.predicted = "b", .explained = "b", .against = "a"};
      each.value = static_cast<double>(row);
      for (std::size_t k = 0; k < 3; ++k) {
        ExampleTerm term{"map", k, std::nullopt, "", 1, 3.0 - double(k), 3.0 - double(k)};
        if (answer == Answer::sums) term.row = static_cast<std::int64_t>(k % 2);
        each.examples.push_back(term);
      }
      all.push_back(each);
    }
    return all;
  };
  evaluator->evaluate(test, made.report, context);
  made.lines = context.lines;
  return made;
}

const std::vector<std::int32_t> five = {0, 0, 1, 2, 0};

/// One training sample comes before the test samples.
Explained explain_novelty(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                          const Parameters& parameters = {}) {
  const auto evaluator = make_component<Evaluator>("evaluator/explanations", parameters);
  std::vector<std::int32_t> all{0};
  all.insert(all.end(), labels.begin(), labels.end());
  const Points data(std::vector<float>(2 * all.size()), all, 1, Layout::vector(2), ham_spam);
  Explained made;
  TestContext context;
  Results test{{scores.data(), scores.size(), 1, 1}, labels, ham_spam};
  test.type = PortType::novelty;
  test.data = &data;
  test.explain = [&](std::span<const std::size_t> rows, std::size_t, std::size_t) {
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

TEST_CASE("what is wrong by most is explained first, then what is right by least") {
  CHECK(explain_rows(five).numbers() == std::vector<std::int64_t>{14, 15, 13, 16});
  const Explained all = explain_rows(five, {{"count", std::int64_t{9}}});
  CHECK(all.numbers() == std::vector<std::int64_t>{14, 15, 13, 16, 12});
  CHECK(all.report.integers.at("explained") == 5);
  CHECK(all.entries()[0].explanation.value == 2);  // the third test row
  CHECK(all.entries()[0].sample.label == "b");
  CHECK(all.entries()[0].predicted == "a");
  CHECK(all.entries()[0].sample.values == std::vector<float>{4, 4});
  CHECK(all.background == 50);
}

TEST_CASE("samples may be named by their numbers in the data, without labels too") {
  const Parameters rows{{"rows", std::vector<std::int64_t>{16, 13}},
                        {"background", std::int64_t{7}}};
  const Explained made = explain_rows({0, -1, 1, 2, -1}, rows);
  CHECK(made.numbers() == std::vector<std::int64_t>{16, 13});
  CHECK(made.entries()[0].sample.label.empty());
  CHECK(made.background == 7);
  const auto wrong = [](std::vector<std::int64_t> list) {
    return message_of([&] { explain_rows(five, {{"rows", std::move(list)}}); });
  };
  CHECK(wrong({11}) == "'rows' names the sample 11, which is none of the test samples");
  CHECK(wrong({12, 13, 12}) == "'rows' names the sample 12 twice");
}

TEST_CASE("the shown examples come with their training samples") {
  const Explained made = explain_rows(five, {{"examples", std::int64_t{2}}});
  CHECK(made.report.explained.at("explanations").top == 2);
  const auto& examples = made.entries()[0].examples;
  REQUIRE(examples.size() == 2);
  CHECK(examples[0].name == "row 10");
  CHECK(examples[0].label == "b");
  CHECK(examples[1].values == std::vector<float>{1, 1});
  CHECK(explain_rows(five, {}, Answer::without_rows).entries()[0].examples.empty());
  CHECK(explain_rows(five, {}, Answer::sums, true).entries()[0].examples.empty());
}

TEST_CASE("a classifier that cannot be explained is a warning, and the run goes on") {
  const Explained made = explain_rows(five, {}, Answer::refusal);
  CHECK(made.report.explained.empty());
  CHECK(made.report.integers.at("explained") == 0);
  CHECK(made.report.texts.at("not_explained") == "its samples have no parts");
  CHECK(made.lines ==
        std::vector<std::string>{"no sample is explained: its samples have no parts"});
}

TEST_CASE("the most novel samples are explained first, with or without classes") {
  const Explained made = explain_novelty({1, -2, 0, -0.5F, -2}, {0, 1, 0, -1, 0});
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
  const Explained made = explain_novelty({1, -2}, {0, 1}, {{"rows", std::vector<std::int64_t>{1}}});
  REQUIRE(made.entries().size() == 1);
  CHECK(made.entries()[0].explanation.value == 1);
  CHECK(message_of([] {
          explain_novelty({1, -2}, {0, 1}, {{"rows", std::vector<std::int64_t>{0}}});
        }) == "'rows' names the sample 0, which is none of the test samples");
}

}  // namespace explanations_test
