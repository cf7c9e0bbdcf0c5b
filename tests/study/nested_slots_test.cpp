// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "study/merge.hpp"
#include "study/selection.hpp"
#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::nested_slots_test {
namespace {

using Texts = std::vector<std::string>;

const std::string start = "  metric: test.error_rate\n  slots:\n";
const std::string kernels =
    "    kernel:\n"
    "      rows: {nodes.svm.from: x}\n"
    "      rbf:\n"
    "        slots: {gamma: {path: nodes.rbf.gamma, values: [1, 10]}}\n"
    "      poly:\n"
    "        nodes.rbf.is: similarity/polynomial\n"
    "        slots: {degree: {path: nodes.rbf.degree, values: [2, 3]}}\n";
const std::string C = "    C: {path: nodes.svm.C, values: [1, 5]}\n";

Texts names(const Study& study) {
  Texts all;
  for (const auto& variant : study.variants) all.push_back(variant.name);
  return all;
}

double number(const StudyVariant& variant, const std::string& node, const std::string& key) {
  for (const auto& [name, value] : node_of(variant, node).component.values)
    if (name == key) return std::get<double>(value);
  FAIL("no such parameter");
  return 0;
}

void expect_wrong(const std::string& study, const Texts& parts) {
  CAPTURE(study);
  const StudyCheck checked = check_study_text(study_text(study));
  CHECK_FALSE(checked.study.has_value());
  const std::string said = render(checked.diagnostics);
  for (const std::string& part : parts)
    CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
}

TEST_CASE("slots inside an alternative vary with it only") {
  const Study study = good_study(start + kernels + C);
  CHECK(names(study) == Texts{"kernel=rows,C=1", "kernel=rows,C=5", "kernel=rbf,gamma=1,C=1",
                              "kernel=rbf,gamma=1,C=5", "kernel=rbf,gamma=10,C=1",
                              "kernel=rbf,gamma=10,C=5", "kernel=poly,degree=2,C=1",
                              "kernel=poly,degree=2,C=5", "kernel=poly,degree=3,C=1",
                              "kernel=poly,degree=3,C=5"});
  REQUIRE(study.slots.size() == 4);
  CHECK(study.slots[1].name == "gamma");
  CHECK(study.slots[1].alternatives == Texts{"1", "10", ""});
  CHECK(study.slots[study.variants[0].choices.size() - 1].name == "C");
  CHECK(study.slots[1].alternatives[study.variants[0].choices[1]].empty());
  CHECK(number(study.variants[4], "rbf", "gamma") == 10);
  CHECK(node_of(study.variants[6], "rbf").component.id == "similarity/polynomial");
}

TEST_CASE("alternatives of one slot may share the name of an inner one") {
  const Study study = good_study(
      start +
      "    kernel:\n"
      "      rbf: {slots: {width: {path: nodes.rbf.gamma, values: [1, 2]}}}\n"
      "      poly: {nodes.rbf.is: similarity/polynomial, slots: {width: {path: nodes.rbf.gamma, "
      "values: [2, 3]}}}\n"
      "  baseline: {kernel: poly, width: 2}\n");
  CHECK(names(study) == Texts{"kernel=rbf,width=1", "kernel=rbf,width=2", "kernel=poly,width=2",
                              "kernel=poly,width=3"});
  REQUIRE(study.slots.size() == 2);
  CHECK(study.slots[1].alternatives == Texts{"1", "2", "3", ""});
  CHECK(study.variants[1].choices[1] == study.variants[2].choices[1]);
  CHECK(study.baseline == 2);
}

TEST_CASE("inner slots in filters, the baseline and lists of combinations") {
  const std::string both = start + kernels + C;
  CHECK(names(good_study(both + "  only: {gamma: 10}\n")) ==
        Texts{"kernel=rbf,gamma=10,C=1", "kernel=rbf,gamma=10,C=5"});
  CHECK(names(good_study(both + "  exclude: [{kernel: [rbf, poly]}, {C: 1}]\n")) ==
        Texts{"kernel=rows,C=5"});
  CHECK(good_study(both + "  baseline: {kernel: rows, C: 5}\n").baseline == 1);
  CHECK(names(good_study(both +
                         "  combine: [{kernel: rbf, gamma: [1, 10], C: 5}, {kernel: rows, C: [1, "
                         "5]}]\n")) == Texts{"kernel=rbf,gamma=1,C=5", "kernel=rbf,gamma=10,C=5",
                                             "kernel=rows,C=1", "kernel=rows,C=5"});
  CHECK(names(good_study(both + "  combine: [{kernel: [rbf, rows], gamma: 1, C: 1}]\n")) ==
        Texts{"kernel=rows,C=1", "kernel=rbf,gamma=1,C=1"});
  expect_wrong(both + "  combine: [{kernel: rbf, C: 5}]\n",
               {"a combination names an alternative of every slot", "add one of 'gamma'"});
  expect_wrong(
      both + "  combine: [{kernel: rows, gamma: 1, C: 5}]\n",
      {"no combination of these has 'gamma'", "'gamma' belongs to other alternatives of 'kernel'"});
  expect_wrong(both + "  combine: [{kernel: rows, C: 5}, {kernel: rows, C: [1, 5]}]\n",
               {"this combination is given twice"});
  expect_wrong(both + "  baseline: {kernel: rbf, C: 5}\n", {"2 combinations match the baseline"});
  expect_wrong(both + "  only: {gamma: 7}\n",
               {"unknown alternative of slot 'gamma': '7'", "choose from 1 and 10"});
}

TEST_CASE("slots are nested to any depth, and named once") {
  const Study study = good_study(
      start +
      "    a:\n      one:\n        slots:\n          b:\n            yes: {slots: {g: {path: "
      "nodes.rbf.gamma, values: [3]}}}\n            no: {}\n      two: {nodes.svm.C: 2}\n");
  CHECK(names(study) == Texts{"a=one,b=yes,g=3", "a=one,b=no", "a=two"});
  expect_wrong(start + C + "    k: {a: {slots: {C: {path: nodes.rbf.gamma, values: [1]}}}}\n",
               {"another slot is called 'C'"});
  expect_wrong(start + "    k: {a: {slots: {}}}\n",
               {"'slots' must be a mapping of slots, got an empty mapping"});
  expect_wrong(start + "    k: {a: {parameters: {g: {path: nodes.rbf.gamma, values: [1]}}}}\n",
               {"'parameters' is not a path to a part of a node"});
  expect_wrong(start + kernels + "  over: gamma\n", {"methods cannot be compared over 'gamma'"});
  expect_wrong(start + kernels + C + "  over: kernel\n",
               {"methods cannot be compared over 'kernel'"});
}

TEST_CASE("a number that a name rounds is the same for all alternatives of that name") {
  expect_wrong(
      start +
          "    k:\n"
          "      a: {slots: {g: {path: nodes.rbf.gamma, from: 0.1, to: 1, steps: 3, scale: log}}}\n"
          "      b: {slots: {g: {path: nodes.rbf.gamma, values: [0.316]}}}\n",
      {"'0.316' of 'g' is short for two numbers"});
}

TEST_CASE("nodes of variants without a slot are not named after it") {
  const Study study = good_study(start + kernels + C);
  const MergedStudy merged =
      merge(study, std::vector<char>(study.variants.size(), 1), test_catalogue());
  Texts all;
  for (const PipelineNode& node : merged.pipeline.nodes) all.push_back(node.name);
  CHECK(std::ranges::find(all, "svm[rows,1]") != all.end());
  CHECK(std::ranges::find(all, "svm[rbf,10,5]") != all.end());
}

TEST_CASE("a selection has parameters inside alternatives") {
  const Study study = good_study(
      start + C +
      "select:\n  metric: test.error_rate\n  folds: 2\n  parameters:\n    kernel:\n      rows: "
      "{nodes.svm.from: x}\n      rbf: {parameters: {gamma: {path: nodes.rbf.gamma, values: [1, "
      "2]}}}\n");
  const Study& trials = study.variants[0].pipeline.selection->trials;
  CHECK(names(trials) == Texts{"kernel=rows,fold=1", "kernel=rows,fold=2",
                               "kernel=rbf,gamma=1,fold=1", "kernel=rbf,gamma=1,fold=2",
                               "kernel=rbf,gamma=2,fold=1", "kernel=rbf,gamma=2,fold=2"});
}

TEST_CASE("a step chooses a slot with its inner ones") {
  const std::string steps = "  steps: {first: {choose: C}, second: {choose: kernel}}\n";
  const Study study = good_study(start + kernels + C + steps);
  REQUIRE(study.steps.size() == 2);
  const Study second = after_choice(study.steps[1], {1});
  CHECK(names(second) == Texts{"kernel=rows", "kernel=rbf,gamma=1", "kernel=rbf,gamma=10",
                               "kernel=poly,degree=2", "kernel=poly,degree=3"});
  CHECK(second.combinations == 5);
  CHECK(second.variants[4].combination == 4);
  CHECK(number(second.variants[0], "svm", "C") == 5);
  expect_wrong(start + kernels + C + "  steps: {a: {choose: [C, gamma]}, b: {choose: kernel}}\n",
               {"'gamma' is chosen together with 'kernel'", "name only 'kernel'"});
}

}  // namespace
}  // namespace semblance::testing::nested_slots_test
