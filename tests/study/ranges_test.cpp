// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "study/alternative_reader.hpp"
#include "study/selection.hpp"
#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::ranges_test {
namespace {

using Texts = std::vector<std::string>;

Texts names(const std::vector<RangeValue>& values) {
  Texts all;
  for (const RangeValue& value : values) all.push_back(value.name);
  return all;
}

Texts texts(const std::vector<RangeValue>& values) {
  Texts all;
  for (const RangeValue& value : values) all.push_back(value.text);
  return all;
}

TEST_CASE("a linear range has the decimals that people expect") {
  CHECK(texts(range_values(0.1, 0.5, 5, false)) == Texts{"0.1", "0.2", "0.3", "0.4", "0.5"});
  CHECK(texts(range_values(-0.1, 0.3, 5, false)) == Texts{"-0.1", "0", "0.1", "0.2", "0.3"});
  CHECK(texts(range_values(1, 9, 5, false)) == Texts{"1", "3", "5", "7", "9"});
  // An integer parameter reads no exponents.
  CHECK(texts(range_values(0, 2e6, 3, false)) == Texts{"0", "1000000", "2000000"});
}

TEST_CASE("a logarithmic range has exact powers, and short names for the numbers between") {
  const auto C = range_values(0.1, 100, 7, true);
  CHECK(names(C) == Texts{"0.1", "0.316", "1", "3.16", "10", "31.6", "100"});
  CHECK(texts(C) == Texts{"0.1", "0.316227766016838", "1", "3.16227766016838", "10",
                          "31.6227766016838", "100"});
  CHECK(texts(range_values(1e-10, 1e10, 21, true)).at(3) == "1e-07");
  CHECK(names(range_values(1e-10, 1e10, 21, true)).at(3) == "1e-7");
  CHECK(names(range_values(1e-10, 1e10, 21, true)).at(20) == "1e10");
}

TEST_CASE("names have more digits where three cannot distinguish them") {
  CHECK(names(range_values(1000, 1003, 4, false)) == Texts{"1000", "1001", "1002", "1003"});
  CHECK(names(range_values(1, 1.002, 3, false)) == Texts{"1", "1.001", "1.002"});
  CHECK(names(range_values(12345, 99999, 2, false)) == Texts{"12345", "99999"});
  CHECK(range_values(1, 1.0000000000000002, 9, false).empty());
}

const std::string start = "  metric: test.error_rate\n";

TEST_CASE("a slot and the repeats of a study may be ranges") {
  const Study study = good_study(
      start + "  slots:\n    C: {path: nodes.svm.C, from: 0.1, to: 1, steps: 3, scale: log}\n");
  CHECK(study.slots[0].alternatives == Texts{"0.1", "0.316", "1"});
  CHECK(study.slots[0].numbers.at("0.316") == "0.316227766016838");
  CHECK(study.slots[0].numbers.size() == 1);
  CHECK(study.variants[1].name == "C=0.316");
  for (const auto& [key, value] : node_of(study.variants[1], "svm").component.values)
    if (key == "C") CHECK(std::get<double>(value) == 0.316227766016838);
  const Study repeats =
      good_study(start +
                 "  slots:\n    C: {path: nodes.svm.C, values: [1]}\n"
                 "  repeats: {path: nodes.rbf.gamma, from: 1, to: 2, steps: 3}\n");
  CHECK(repeats.repeats == Texts{"gamma=1", "gamma=1.5", "gamma=2"});
}

TEST_CASE("a selection may try a range") {
  const Study study = good_study(
      start +
      "  slots:\n    folds: {path: select.folds, from: 2, to: 3, steps: 2}\n"
      "select:\n  metric: test.error_rate\n  parameters: {C: {path: nodes.svm.C, from: 0.1, to: "
      "10, steps: 4, scale: log}}\n");
  const Study& trials = study.variants[0].pipeline.selection->trials;
  CHECK(trials.slots[0].alternatives == Texts{"0.1", "0.464", "2.15", "10"});
  CHECK(study.variants[1].pipeline.selection->trials.repeats.size() == 3);
}

TEST_CASE("--set changes the end of a range") {
  const std::string slots = "  slots:\n    C: {path: nodes.svm.C, from: 1, to: 3, steps: 3}\n";
  StudyCheck checked = check_study_text(study_text(start + slots), {"study.slots.C.to=5"});
  REQUIRE(checked.study);
  CHECK(checked.study->slots[0].alternatives == Texts{"1", "3", "5"});
}

TEST_CASE("what is wrong with a range is said where it is") {
  struct Wrong {
    std::string range;
    std::string said;
  };
  const std::vector<Wrong> table = {
      {"from: 10, to: 1, steps: 3", "s.yaml:7:42: error: 'to' must be greater than 'from', 10"},
      {"from: 1, to: 1, steps: 3", "s.yaml:7:41: error: 'to' must be greater than 'from', 1, got"},
      {"from: 1, to: 2, steps: 1",
       "s.yaml:7:51: error: 'steps' must be a number from 2 to 1000, got '1'"},
      {"from: 1, to: 2, steps: 1001", "'steps' must be a number from 2 to 1000, got '1001'"},
      {"from: 1, to: 2, steps: 2.5", "'steps' must be a number from 2 to 1000, got '2.5'"},
      {"from: 0, to: 2, steps: 3, scale: log",
       "s.yaml:7:34: error: with 'scale: log', 'from' must be greater than 0, got '0'"},
      {"from: -1, to: 2, steps: 3, scale: log", "'from' must be greater than 0, got '-1'"},
      {"from: 1, to: 2, steps: 3, scale: logarithmic", "'scale' must be linear or log"},
      {"from: a, to: 2, steps: 3", "s.yaml:7:34: error: 'from' must be a finite number, got 'a'"},
      {"from: 1, to: [2], steps: 3", "'to' must be a number, got a list"},
      {"from: 1, steps: 3", "the range of slot 'C' needs 'from', 'to' and 'steps'"},
      {"from: 1, to: 2, steps: 3, values: [1]", "slot 'C' has both 'values' and a range"},
      {"values: [1], scale: log", "slot 'C' has both 'values' and a range"},
      {"from: 1, to: 1.0000000000000002, steps: 9", "two values of this range would be equal"},
      {"scale: log", "slot 'C' needs both 'path' and 'values'"},
      {"values: {from: 1, to: 2, steps: 3}", "a range is written {path: nodes.svm.C, from: 0.1"},
  };
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.range);
    const StudyCheck checked = check_study_text(
        study_text(start + "  slots:\n    C: {path: nodes.svm.C, " + wrong.range + "}\n"));
    CHECK_FALSE(checked.study.has_value());
    const std::string said = render(checked.diagnostics);
    CHECK_MESSAGE(said.find(wrong.said) != std::string::npos, said, " lacks ", wrong.said);
  }
  const StudyCheck checked =
      check_study_text(study_text(start + "  slots:\n    C: {from: 1, to: 3, steps: 3}\n"));
  CHECK(render(checked.diagnostics).find("slot 'C' needs both 'path' and 'values'") !=
        std::string::npos);
}

}  // namespace
}  // namespace semblance::testing::ranges_test
