// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::steps_test {
namespace {

const std::string slots = R"(  metric: test.error_rate
  slots:
    kernel:
      rbf: {}
      poly: {nodes.rbf.is: similarity/polynomial, nodes.rbf.degree: 2}
    C: {path: nodes.svm.C, values: [0.1, 1, 10]}
    cell: {path: nodes.hog.cell, values: [4, 8]}
)";
const std::string steps = R"(  steps:
    machine: {choose: [C, kernel], within: 0.1, nodes.bases.per_class: 2}
    data: {choose: cell}
)";

template <class T>
T value(const StudyVariant& variant, const std::string& node, const std::string& key) {
  for (const auto& [name, found] : node_of(variant, node).component.values)
    if (name == key) return std::get<T>(found);
  FAIL("no such parameter");
  return {};
}

std::vector<std::string> names(const Study& study) {
  std::vector<std::string> all;
  for (const auto& variant : study.variants) all.push_back(variant.name);
  return all;
}

TEST_CASE("a step varies the slots that it chooses, the others are as in the pipeline") {
  const Study study = good_study(slots + steps);
  REQUIRE(study.steps.size() == 2);
  const Study first = after_choice(study.steps[0], {});
  CHECK(study.steps[0].within == 0.1);
  CHECK(names(first) == std::vector<std::string>{"C=0.1,kernel=rbf", "C=0.1,kernel=poly",
                                                 "C=1,kernel=rbf", "C=1,kernel=poly",
                                                 "C=10,kernel=rbf", "C=10,kernel=poly"});
  CHECK(names(study) == names(first));
  for (const StudyVariant& variant : first.variants) {
    CHECK(value<std::int64_t>(variant, "hog", "cell") == 8);
    CHECK(value<std::int64_t>(variant, "bases", "per_class") == 2);
  }
  CHECK(value<double>(first.variants[5], "svm", "C") == 10);
}

TEST_CASE("a step goes on with what those before it chose, and is checked for all of that") {
  const Study study = good_study(slots + steps);
  CHECK(study.steps[1].study.variants.size() == 12);
  const Study second = after_choice(study.steps[1], {2, 1});
  CHECK(names(second) == std::vector<std::string>{"cell=4", "cell=8"});
  CHECK(second.combinations == 2);
  REQUIRE(second.slots.size() == 1);
  CHECK(second.slots[0].name == "cell");
  for (std::size_t v = 0; v < 2; ++v) {
    const StudyVariant& variant = second.variants[v];
    CHECK(variant.combination == v);
    CHECK(variant.choices == std::vector<std::size_t>{v});
    CHECK(value<double>(variant, "svm", "C") == 10);
    CHECK(node_of(variant, "rbf").component.id == "similarity/polynomial");
    // The first step's own change is not the second's.
    CHECK(value<std::int64_t>(variant, "bases", "per_class") == 5);
  }
}

TEST_CASE("repeats are those of every step") {
  const Study study = good_study(slots + steps + "  repeats: {seeds: 3}\n");
  CHECK(study.steps[0].study.variants.size() == 18);
  const Study second = after_choice(study.steps[1], {0, 0});
  CHECK(names(second) == std::vector<std::string>{"cell=4,seed=3", "cell=4,seed=4", "cell=4,seed=5",
                                                  "cell=8,seed=3", "cell=8,seed=4",
                                                  "cell=8,seed=5"});
  CHECK(second.variants[4].combination == 1);
  CHECK(second.variants[4].repeat == 1);
}

TEST_CASE("what is wrong with steps") {
  struct Wrong {
    std::string steps;
    std::vector<std::string> said;
  };
  const std::string data = "    data: {choose: cell}\n";
  const std::vector<Wrong> table = {
      {"  steps: [a]\n", {"'steps' must be a mapping of steps", "NAME: {choose: SLOT"}},
      {"  steps:\n    a: {nodes.svm.C: 1}\n" + data,
       {"step 'a' does not say what it chooses", "no step chooses 'kernel'"}},
      {"  steps:\n    a: {choose: [C, kernal]}\n" + data,
       {"unknown slot 'kernal'", "did you mean 'kernel'?"}},
      {"  steps:\n    a: {choose: [C, kernel, cell]}\n" + data, {"'cell' is chosen twice"}},
      {"  steps:\n    a: {choose: C}\n" + data, {"no step chooses 'kernel'", "under 'choose'"}},
      {"  steps:\n    a: {choose: [C, kernel], within: 2}\n" + data,
       {"'within' must be at least 0 and less than 1, got '2'"}},
      {"  steps:\n    a: {choose: [C, kernel], within: much}\n" + data, {"got 'much'"}},
      {"  steps:\n    a,b: {choose: [C, kernel]}\n" + data,
       {"'a,b' is not a valid name for a step"}},
      {"  steps:\n    a: {choose: [C, kernel], C: 3}\n" + data,
       {"'C' is not a path to a part of a node"}},
      {steps + "  baseline: {C: 1}\n", {"a study in steps has no 'baseline'"}},
      {steps + "  only: {C: 1}\n", {"a study in steps has no 'only'"}},
      {steps + "  over: C\n", {"a study in steps has no 'over'"}},
      // Only after the first step has chosen the polynomial, which has no such degree.
      {"  steps:\n    machine: {choose: [C, kernel]}\n"
       "    data: {choose: cell, nodes.rbf.degree: -1}\n",
       {"degree"}},
  };
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.steps);
    const StudyCheck checked = check_study_text(study_text(slots + wrong.steps));
    CHECK_FALSE(checked.study.has_value());
    const std::string said = render(checked.diagnostics);
    for (const std::string& part : wrong.said)
      CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
  }
}

}  // namespace
}  // namespace semblance::testing::steps_test
