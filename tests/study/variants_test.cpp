// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "study/selection.hpp"
#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::variants_test {
namespace {

std::vector<std::string> names(const Study& study) {
  std::vector<std::string> all;
  for (const auto& variant : study.variants) all.push_back(variant.name);
  return all;
}

double number(const StudyVariant& variant, const std::string& node, const std::string& key) {
  for (const auto& [name, value] : node_of(variant, node).component.values)
    if (name == key) return std::get<double>(value);
  FAIL("no such parameter");
  return 0;
}

const char* const two_slots = R"(  metric: test.error_rate
  slots:
    kernel:
      rbf: {}
      poly: {nodes.rbf.is: similarity/polynomial, nodes.rbf.degree: 2}
    C: {path: nodes.svm.C, values: [0.1, 10]}
)";

TEST_CASE("which of two values is better follows from the declaration of the figure") {
  const std::string slots = "  slots:\n    C: {path: nodes.svm.C, values: [0.1, 1]}\n";
  const Study accuracy = good_study("  metric: test.accuracy\n" + slots);
  CHECK(accuracy.higher_is_better);
  CHECK(accuracy.unit == FigureUnit::share);
  CHECK(good_study("  metric: test.top_3_accuracy\n" + slots).higher_is_better);
  CHECK(good_study("  metric: test.accuracy\n  better: higher\n" + slots).higher_is_better);
  CHECK_FALSE(good_study("  metric: test.error_rate\n" + slots).higher_is_better);
  CHECK(good_study("  metric: test.rows\n  better: higher\n" + slots).higher_is_better);
  CHECK_FALSE(good_study("  metric: test.rows\n  better: lower\n" + slots).higher_is_better);
  CHECK_FALSE(good_study("  metric: svm.predict_seconds\n" + slots).higher_is_better);
}

TEST_CASE("a list of figures: the first is compared, the others are shown") {
  const std::string slots = "  slots:\n    C: {path: nodes.svm.C, values: [0.1, 1]}\n";
  const Study study =
      good_study("  metric: [test.accuracy, test.rows, svm.predict_seconds]\n" + slots);
  CHECK(study.metric == "accuracy");
  CHECK(study.higher_is_better);
  REQUIRE(study.further.size() == 2);
  CHECK(study.further[0].figure == "rows");
  CHECK(study.further[0].better == Better::none);
  CHECK(study.further[1].node == "svm");
  CHECK(study.further[1].unit == FigureUnit::seconds);
  CHECK(study.further[1].better == Better::lower);
  CHECK(good_study("  metric: [test.accuracy]\n" + slots).further.empty());
  // A variant may lack a figure that others have; where they disagree, no value is the best.
  const Study two = good_study(
      "  metric: [svm.predict_seconds, test.error_rate, test.accuracy]\n  slots:\n    e:\n"
      "      one: {}\n      two: {nodes.test.is: evaluator/inaccuracy}\n");
  REQUIRE(two.further.size() == 2);
  CHECK(two.further[0].figure == "error_rate");
  CHECK(two.further[0].better == Better::lower);
  CHECK(two.further[1].better == Better::none);
  const auto tells = [&](const std::string& metric, const std::string& part) {
    const StudyCheck checked = check_study_text(study_text("  metric: " + metric + "\n" + slots));
    CHECK_FALSE(checked.study.has_value());
    const std::string said = render(checked.diagnostics);
    CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
  };
  tells("[test.accuracy, test.acuracy]",
        "s.yaml:5:27: error: node 'test' (evaluator/classification) reports no figure 'acuracy'");
  tells("[test.accuracy, tset.rows]", "unknown evaluator or solver 'tset'");
  tells("[test.accuracy, test.accuracy]", "'test.accuracy' is given twice");
  tells("[test.accuracy, rows]", "'metric' must be a node and a figure that it reports");
  tells("[]", "'metric' must be a node and a figure that it reports");
}

TEST_CASE("--set changes the study itself, before it is read") {
  const auto changed = [](std::vector<std::string> overrides) {
    StudyCheck checked = check_study_text(study_text(two_slots), std::move(overrides));
    REQUIRE_MESSAGE(checked.study, render(checked.diagnostics));
    return *std::move(checked.study);
  };
  CHECK(names(changed({"study.slots.C.values=[1]", "study.only=[{kernel: poly}]"})) ==
        std::vector<std::string>{"kernel=poly,C=1"});
  CHECK(changed({"study.repeats={seeds: 3}"}).repeats.size() == 3);
  CHECK(changed({"study.metric=test.accuracy"}).higher_is_better);
  // Besides a change of the pipeline, which remains one.
  const Study both = changed({"study.slots.C.values=[1]", "nodes.rbf.gamma=2"});
  REQUIRE(both.variants.size() == 2);
  CHECK(number(both.variants[0], "rbf", "gamma") == 2);
}

TEST_CASE("the full product, the first slot varying slowest") {
  const Study study = good_study(two_slots);
  CHECK(study.name == "demo");
  CHECK(study.metric_node == "test");
  CHECK(study.metric == "error_rate");
  CHECK(names(study) == std::vector<std::string>{"kernel=rbf,C=0.1", "kernel=rbf,C=10",
                                                 "kernel=poly,C=0.1", "kernel=poly,C=10"});
  CHECK(study.combinations == 4);
  CHECK(node_of(study.variants[0], "rbf").component.id == "similarity/rbf");
  CHECK(node_of(study.variants[3], "rbf").component.id == "similarity/polynomial");
  CHECK(number(study.variants[2], "svm", "C") == 0.1);
  CHECK(number(study.variants[3], "svm", "C") == 10);
  // polynomial knows gamma too, so the file's stays.
  CHECK(number(study.variants[3], "rbf", "gamma") == 0.5);
}

TEST_CASE("a value of a mapping is varied, and null is one") {
  const Study study = good_study(R"(  metric: test.error_rate
  slots:
    depth: {path: nodes.svm.options.depth, values: [5, null, 5.0]}
    rule:
      gini: {nodes.svm.is: solver/library, nodes.svm.options.rule: gini}
      none: {nodes.svm: {is: solver/library, from: rbf, options: {rule: none}}}
)");
  CHECK(names(study).at(2) == "depth=null,rule=gini");
  const auto options = [&](std::size_t variant) {
    return to_text(node_of(study.variants[variant], "svm").component.values.at(0).second);
  };
  CHECK(options(0) == "{depth: 5, rule: gini}");
  CHECK(options(2) == "{depth: null, rule: gini}");
  CHECK(options(4) == "{depth: 5.0, rule: gini}");
  CHECK(options(1) == "{rule: \"none\"}");
}

TEST_CASE("listed combinations, filters and the baseline") {
  const Study listed = good_study(std::string(two_slots) +
                                  "  combine: [{kernel: poly, C: 10}, {C: 0.1, kernel: rbf}]\n"
                                  "  baseline: {kernel: rbf}\n");
  CHECK(names(listed) == std::vector<std::string>{"kernel=poly,C=10", "kernel=rbf,C=0.1"});
  CHECK(listed.baseline == 1);
  const Study without =
      good_study(std::string(two_slots) + "  exclude: [{kernel: rbf, C: [0.1, 10]}]\n");
  CHECK(names(without) == std::vector<std::string>{"kernel=poly,C=0.1", "kernel=poly,C=10"});
  const Study only = good_study(std::string(two_slots) + "  only: {C: 10}\n");
  CHECK(names(only) == std::vector<std::string>{"kernel=rbf,C=10", "kernel=poly,C=10"});
}

TEST_CASE("filters may leave out all variants that use a node") {
  const std::string text =
      "  metric: test.error_rate\n"
      "  slots:\n    on: {bases: {}, rows: {nodes.svm.from: x}}\n";
  CHECK(names(good_study(text + "  only: {on: rows}\n")) == std::vector<std::string>{"on=rows"});
  CHECK(names(good_study(text + "  exclude: {on: bases}\n")) ==
        std::vector<std::string>{"on=rows"});
}

TEST_CASE("repeats over seeds and over the values of a parameter") {
  const Study seeds = good_study(std::string(two_slots) +
                                 "  only: {C: 10, kernel: rbf}\n"
                                 "  repeats: {seeds: 3}\n");
  CHECK(names(seeds) == std::vector<std::string>{"kernel=rbf,C=10,seed=3", "kernel=rbf,C=10,seed=4",
                                                 "kernel=rbf,C=10,seed=5"});
  CHECK(seeds.variants[1].pipeline.seed == 4);
  CHECK(seeds.combinations == 1);
  const Study folds = good_study(std::string(two_slots) +
                                 "  only: {C: 10, kernel: rbf}\n"
                                 "  repeats: {path: nodes.images.folds, values: [[1], [2, 3]]}\n");
  CHECK(folds.repeats == std::vector<std::string>{"folds=1", "folds=2+3"});
  CHECK(folds.variants[1].repeat == 1);
}

TEST_CASE("repeats over folds hold out each fold once for each seed") {
  const Study study = good_study(std::string(two_slots) +
                                 "  only: {C: 10, kernel: rbf}\n"
                                 "  repeats: {folds: 2, seeds: [7, 8]}\n");
  CHECK(study.repeats == std::vector<std::string>{"seed=7,fold=1", "seed=7,fold=2", "seed=8,fold=1",
                                                  "seed=8,fold=2"});
  CHECK(names(study)[3] == "kernel=rbf,C=10,seed=8,fold=2");
  for (std::size_t v = 0; v < 4; ++v) {
    const Fold fold = node_of(study.variants[v], "images").fold;
    CHECK(fold.index == v % 2);
    CHECK(fold.count == 2);
    CHECK(fold.seed == 7 + v / 2);
    CHECK(fold.repeat);
    CHECK(node_of(study.variants[v], "svm").fold.count == 0);
  }
  const Study once = good_study(std::string(two_slots) + "  repeats: {folds: 5}\n");
  CHECK(once.repeats.size() == 5);
  CHECK(once.repeats[4] == "fold=5");
}

TEST_CASE("what is chosen inside a fold is chosen on folds of the rows that are left") {
  const std::string select =
      "select:\n  metric: test.error_rate\n  folds: 3\n  parameters: {B: {path: nodes.svm.C, "
      "values: [1, 2]}}\n";
  const StudyCheck checked = check_study_text(
      select + study_text("  metric: test.error_rate\n  slots: {g: {path: nodes.rbf.gamma, values: "
                          "[1]}}\n  repeats: {folds: 4}\n"));
  REQUIRE_MESSAGE(checked.study.has_value(), render(checked.diagnostics));
  const SelectingPipeline& chosen = checked.study->variants.at(2).pipeline;
  REQUIRE(chosen.selection);
  const auto source = [](const Pipeline& pipeline) {
    return *std::ranges::find(pipeline.nodes, "images", &PipelineNode::name);
  };
  const Fold outer = source(chosen).fold;
  CHECK(outer.index == 2);
  CHECK(outer.count == 4);
  for (const Pipeline& candidate : chosen.selection->candidates)
    CHECK(source(candidate).fold == outer);
  REQUIRE(chosen.selection->trials.variants.size() == 6);
  for (const StudyVariant& trial : chosen.selection->trials.variants) {
    CHECK(source(trial.pipeline).fold.count == 3);
    CHECK(source(trial.pipeline).fold.within == std::vector<Fold>{outer});
  }
}

TEST_CASE("a node can be bypassed, dropped from a list, added or replaced") {
  const std::string text = R"(  metric: test.error_rate
  slots:
    x:
      as_is: {}
      without: {bypass: x}
    maps:
      both: {nodes.phi: {is: normalizer/zscore, from: [rbf, more]}, nodes.svm.from: phi,
             nodes.more: {is: similarity/polynomial, from: x, bases: bases}}
      one:  {nodes.phi: {is: normalizer/zscore, from: [rbf, more]}, nodes.svm.from: phi,
             nodes.more: {is: similarity/polynomial, from: x, bases: bases}, drop: more}
)";
  const Study study = good_study(text);
  REQUIRE(study.variants.size() == 4);
  CHECK(has_node(study.variants[0], "x"));
  CHECK(has_node(study.variants[0], "more"));
  CHECK_FALSE(has_node(study.variants[1], "more"));
  CHECK_FALSE(has_node(study.variants[2], "x"));
  const auto& rbf = node_of(study.variants[2], "rbf");
  CHECK(study.variants[2].pipeline.nodes[rbf.inputs[0].nodes[0]].name == "hog");
  CHECK(node_of(study.variants[1], "phi").inputs[0].nodes.size() == 1);
}

TEST_CASE("nodes that a variant does not use are left out of it") {
  const Study study = good_study(R"(  metric: test.error_rate
  slots:
    input:
      map: {}
      features: {nodes.svm.from: x}
)");
  CHECK(has_node(study.variants[0], "rbf"));
  CHECK_FALSE(has_node(study.variants[1], "rbf"));
  CHECK_FALSE(has_node(study.variants[1], "bases"));
}

TEST_CASE("overrides and the seed apply to the pipeline that is varied") {
  const auto checked =
      check_study_text(study_text(two_slots), {"nodes.hog.cell=4", "nodes.rbf.gamma=2"});
  REQUIRE(checked.study.has_value());
  CHECK(number(checked.study->variants[0], "rbf", "gamma") == 2);
}

TEST_CASE("a study can take its nodes from a pipeline file beside it") {
  const auto folder = std::filesystem::temp_directory_path() / "semblance_study_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "base.yaml") << good_text;
  std::ofstream(folder / "study.yaml") << "name: own\nstudy:\n  pipeline: base.yaml\n" << two_slots;
  CheckOptions options;
  options.data = "/data";
  options.check_files = false;
  const auto checked = load_study(folder / "study.yaml", test_catalogue(), options);
  REQUIRE_MESSAGE(checked.study.has_value(), render(checked.diagnostics));
  CHECK(checked.study->name == "own");
  CHECK(checked.study->description == "What a pipeline looks like");
  CHECK(checked.study->seed == 3);
  CHECK(checked.study->variants.size() == 4);
  CHECK(is_study(folder / "study.yaml"));
  CHECK_FALSE(is_study(folder / "base.yaml"));
  CHECK_FALSE(is_study(folder / "none.yaml"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace semblance::testing::variants_test
