// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

#include "evaluator_testing.hpp"

namespace errors_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

/// Two training samples of classes b and c, then the test samples; each has two values, the number
/// of the row and a hundred times it. Some rows have names.
class Named final : public Dataset {
 public:
  explicit Named(const std::vector<std::int32_t>& tested) : labels_{1, 2} {
    labels_.insert(labels_.end(), tested.begin(), tested.end());
    outline_ = {Layout::vector(2), 2, tested.size(), abc};
    outline_.columns = {"one", "hundred"};
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      out.row(i)[0] = static_cast<float>(first + i);
      out.row(i)[1] = 100 * out.row(i)[0];
    }
  }
  std::size_t bytes() const noexcept override { return 0; }
  std::int64_t number(std::size_t row) const override { return 10 + std::int64_t(row); }
  std::string name(std::size_t row) const override { return row == 4 ? "odd.png" : ""; }

 private:
  Outline outline_;
  std::vector<std::int32_t> labels_;
};

struct Listed {
  MemoryReport report;
  std::vector<std::string> lines;
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : report.sample_lists.at("samples").entries)
      all.push_back(entry.sample.name);
    return all;
  }
};

Listed judge_rows(const std::vector<float>& scores, const std::vector<std::int32_t>& labels,
                  const Parameters& parameters = {}) {
  const auto evaluator = make_component<Evaluator>("evaluator/errors", parameters);
  const Named data(labels);
  Listed judged;
  TestContext context;
  Results test{{scores.data(), scores.size() / 3, 3, 3}, labels, abc};
  test.lineage.maps = {{"first map", "similarity/rbf", 2, 2, 1, "x", "bases"},
                       {"second map", "similarity/rbf", 2, 2, 1, "x", "bases"}};
  test.data = &data;
  test.nearest_bases = [](std::size_t row, std::size_t count) {
    std::vector<NearBasis> near;
    for (std::size_t map = 0; map < 2; ++map)
      for (std::size_t k = 0; k < std::min<std::size_t>(count, 2); ++k)
        near.push_back({map, k, static_cast<float>(10 * row + map) - static_cast<float>(k)});
    return near;
  };
  evaluator->check_scores({"mine", "solver/mine", abc});
  evaluator->evaluate(test, judged.report, context);
  judged.lines = context.lines;
  return judged;
}

// Rows 2 to 7 of the data:                a: right  a: b by 2  b: a by 5  c: a by 1  b: a by 5  c:
// b by 3
const std::vector<float> six = {3, 1, 0, 1, 3, 0, 6, 1, 2, 4, 0, 3, 5, 0, 1, 0, 3, 0};
const std::vector<std::int32_t> labels_of_six = {0, 0, 1, 2, 1, 2};

std::string refused(const Parameters& parameters) {
  return message_of([&] { judge_rows(six, labels_of_six, parameters); });
}

}  // namespace

TEST_CASE("the samples that are wrong by most come first, of equal ones the first row") {
  const Listed judged = judge_rows(six, labels_of_six);
  CHECK(judged.names() ==
        std::vector<std::string>{"odd.png", "row 16", "row 17", "row 13", "row 15"});
  CHECK(judged.report.integers.at("errors") == 5);
  CHECK(judged.report.integers.at("rows") == 6);
  CHECK(judged.report.numbers.at("largest_margin") == 5);
  const Table& table = judged.report.tables.at("largest_errors");
  CHECK(table.columns == std::vector<std::string>{"row", "own_score", "score", "margin"});
  CHECK(table.rows.front() == "odd.png: b taken for a");
  CHECK(table.rows.at(2) == "row 17: c taken for b");
  CHECK(std::vector<double>(table.values.begin(), table.values.begin() + 4) ==
        std::vector<double>{14, 1, 6, -5});
}

TEST_CASE("a sample comes with its values, its scores and its most similar bases") {
  const Listed judged = judge_rows(six, labels_of_six, {{"count", std::int64_t{2}}});
  const SampleList& list = judged.report.sample_lists.at("samples");
  CHECK(list.columns == std::vector<std::string>{"one", "hundred"});
  REQUIRE(list.entries.size() == 2);
  const auto& entry = list.entries.front();
  CHECK(entry.sample.label == "b");
  CHECK(entry.predicted == "a");
  CHECK(entry.sample.values == std::vector<float>{4, 400});
  REQUIRE(entry.scores.size() == 3);
  CHECK(entry.scores[0].label == "a");
  CHECK(entry.scores[0].score == 6);
  CHECK(entry.scores[2].label == "b");
  // Test row 2 is row 4 of the data; the bases are rows 0 and 1, numbers 10 and 11.
  REQUIRE(entry.nearest.size() == 4);
  CHECK(entry.nearest[0].map == "first map");
  CHECK(entry.nearest[0].similarity == 20);
  CHECK(entry.nearest[0].sample.name == "row 10");
  CHECK(entry.nearest[0].sample.label == "b");
  CHECK(entry.nearest[1].sample.label == "c");
  CHECK(entry.nearest[1].sample.values == std::vector<float>{1, 100});
  CHECK(entry.nearest[3].map == "second map");
}

TEST_CASE("a filter leaves the errors of one class, or those taken for one") {
  CHECK(judge_rows(six, labels_of_six, {{"class", std::string("c")}}).names() ==
        std::vector<std::string>{"row 17", "row 15"});
  CHECK(judge_rows(six, labels_of_six, {{"taken_for", std::string("b")}}).names() ==
        std::vector<std::string>{"row 17", "row 13"});
  const Listed both = judge_rows(six, labels_of_six,
                                 {{"class", std::string("c")}, {"taken_for", std::string("b")}});
  CHECK(both.names() == std::vector<std::string>{"row 17"});
  CHECK(both.report.integers.at("errors") == 1);
}

TEST_CASE("without bases wanted none are asked for") {
  const Listed judged = judge_rows(six, labels_of_six, {{"bases", std::int64_t{0}}});
  for (const auto& entry : judged.report.sample_lists.at("samples").entries)
    CHECK(entry.nearest.empty());
}

TEST_CASE("where nothing is wrong nothing is listed") {
  const Listed judged = judge_rows({1, 0, 0}, {0});
  CHECK(judged.report.integers.at("errors") == 0);
  CHECK(judged.report.sample_lists.empty());
  CHECK(judged.report.tables.empty());
  CHECK(judged.report.numbers.empty());
}

TEST_CASE("rows without a label are no errors, and are reported") {
  const Listed judged = judge_rows({1, 0, 0, 1, 0, 0, 0, 1, 0}, {0, -1, 0});
  CHECK(judged.report.integers.at("errors") == 1);
  CHECK(judged.names() == std::vector<std::string>{"odd.png"});
  CHECK(judged.lines ==
        std::vector<std::string>{"1 of 3 test rows have no label and are excluded"});
}

TEST_CASE("wrong parameters of the errors are refused") {
  CHECK(refused({{"class", std::string("d")}}) ==
        "'class' names the class 'd', but the classes are 'a', 'b', 'c'");
  CHECK(refused({{"taken_for", std::string("A")}}) ==
        "'taken_for' names the class 'A', but the classes are 'a', 'b', 'c'");
  CHECK(refused({{"class", std::string("a")}, {"taken_for", std::string("a")}}) ==
        "'class' and 'taken_for' are both 'a', but samples that are assigned to their own class "
        "are not errors");
  CHECK(message_of([] {
          make_component<Evaluator>("evaluator/errors", {{"taken_for", std::string("a")}})
              ->check_scores({"svr", "solver/kernel_svr", {}, false, false, PortType::estimates});
        }) ==
        "'taken_for' names a class, but 'svr' (solver/kernel_svr) estimates numbers; remove it");
  CHECK(refused({{"count", std::int64_t{0}}}) ==
        "evaluator/errors: 'count' must be in the range [1, 500], got 0");
  CHECK(refused({{"bases", std::int64_t{-1}}}) ==
        "evaluator/errors: 'bases' must be in the range [0, 20], got -1");
}

}  // namespace errors_test
