// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::one_at_a_time_test {
namespace {

using Texts = std::vector<std::string>;

Texts names(const Study& study) {
  Texts all;
  for (const auto& variant : study.variants) all.push_back(variant.name);
  return all;
}

const std::string start =
    "  metric: test.error_rate\n"
    "  combine: one_at_a_time\n"
    "  slots:\n"
    "    kernel:\n"
    "      rows: {nodes.svm.from: x}\n"
    "      rbf: {slots: {gamma: {path: nodes.rbf.gamma, values: [1, 10]}}}\n"
    "      poly: {nodes.rbf.is: similarity/polynomial, slots: {gamma: {path: nodes.rbf.gamma, "
    "values: [10, 20]}}}\n"
    "    C: {path: nodes.svm.C, values: [1, 5, 25]}\n";

TEST_CASE("the baseline and each change of a single slot") {
  const Study study = good_study(start + "  baseline: {kernel: rows, C: 5}\n");
  // An alternative with a slot of its own is tried with all values of that slot.
  CHECK(names(study) == Texts{"kernel=rows,C=5", "kernel=rbf,gamma=1,C=5",
                              "kernel=rbf,gamma=10,C=5", "kernel=poly,gamma=10,C=5",
                              "kernel=poly,gamma=20,C=5", "kernel=rows,C=1", "kernel=rows,C=25"});
  CHECK(study.baseline == 0);
}

TEST_CASE("a change of a slot keeps the inner choices of the baseline where they exist") {
  const Study study = good_study(start + "  baseline: {kernel: rbf, gamma: 10, C: 1}\n");
  CHECK(names(study) == Texts{"kernel=rbf,gamma=10,C=1", "kernel=rows,C=1",
                              "kernel=poly,gamma=10,C=1", "kernel=rbf,gamma=1,C=1",
                              "kernel=rbf,gamma=10,C=5", "kernel=rbf,gamma=10,C=25"});
}

TEST_CASE("one at a time on every data set, and fewer by filters") {
  const Study study = good_study(
      "  metric: test.error_rate\n  combine: one_at_a_time\n"
      "  slots:\n    data: {a: {}, b: {nodes.images.folds: [2]}}\n"
      "    gamma: {path: nodes.rbf.gamma, values: [1, 2]}\n"
      "    C: {path: nodes.svm.C, values: [1, 2]}\n"
      "  over: data\n  baseline: {gamma: 1, C: 1}\n  exclude: {gamma: 2, data: a}\n");
  CHECK(names(study) == Texts{"data=a,gamma=1,C=1", "data=a,gamma=1,C=2", "data=b,gamma=1,C=1",
                              "data=b,gamma=2,C=1", "data=b,gamma=1,C=2"});
}

TEST_CASE("what is wrong with one at a time") {
  const auto tells = [](const std::string& study, const std::string& part) {
    const StudyCheck checked = check_study_text(study_text(study));
    CHECK_FALSE(checked.study.has_value());
    const std::string said = render(checked.diagnostics);
    CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
  };
  tells(start, "s.yaml:6:12: error: 'one_at_a_time' needs a baseline");
  tells(start + "  baseline: {C: 5}\n", "5 combinations match the baseline");
  tells(start + "  baseline: {kernel: rows, gamma: 1}\n", "no combination matches the baseline");
  tells(
      "  metric: test.error_rate\n  slots: {C: {path: nodes.svm.C, values: [1]}}\n"
      "select: {metric: test.error_rate, combine: one_at_a_time, parameters: {C: {path: "
      "nodes.svm.C, values: [1]}}}\n",
      "'combine' must be 'product' or a list of combinations");
}

TEST_CASE("a design of few pipelines may be taken from a product of many") {
  std::string slots = "  metric: test.error_rate\n  combine: one_at_a_time\n  slots:\n";
  std::string baseline = "  baseline: {";
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    slots += std::string("    ") + name + ": {path: nodes.svm.C, from: 1, to: 10, steps: 10}\n";
    baseline += std::string(baseline.ends_with('{') ? "" : ", ") + name + ": 3";
  }
  CHECK(good_study(slots + baseline + "}\n").variants.size() == 1 + 8 * 9);
}

}  // namespace
}  // namespace semblance::testing::one_at_a_time_test
