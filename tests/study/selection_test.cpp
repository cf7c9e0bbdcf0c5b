// SPDX-License-Identifier: MIT
#include "study/selection.hpp"

#include <doctest/doctest.h>

#include "study/check_pipeline.hpp"
#include "test_components.hpp"

namespace semblance::testing::selection_test {
namespace {

PipelineCheck check_with(const std::string& select, std::vector<std::string> overrides = {}) {
  CheckOptions options;
  options.check_files = false;
  options.overrides = std::move(overrides);
  return check_pipeline(good_text + ("select:\n" + select), "p.yaml", test_catalogue(), options);
}

const std::string metric = "  metric: test.error_rate\n";
const std::string two_parameters =
    "  parameters:\n"
    "    C: {path: nodes.svm.C, values: [0.1, 1, 10]}\n"
    "    gamma: {wide: {nodes.rbf.gamma: 1}, narrow: {nodes.rbf.gamma: 9}}\n";

double cost_of(const Pipeline& pipeline) {
  for (const PipelineNode& node : pipeline.nodes)
    if (node.name == "svm")
      for (const auto& [name, value] : node.component.values)
        if (name == "C") return std::get<double>(value);
  FAIL("no C");
  return 0;
}

TEST_CASE("every combination of values at every fold is a trial") {
  const auto checked = check_with(metric + "  folds: 4\n" + two_parameters);
  INFO(render(checked.diagnostics));
  REQUIRE(checked.pipeline);
  REQUIRE(checked.pipeline->selection);
  const Selection& selection = *checked.pipeline->selection;
  CHECK(selection.candidates.size() == 6);
  CHECK(selection.trials.variants.size() == 24);
  CHECK(selection.trials.repeats ==
        std::vector<std::string>{"fold=1", "fold=2", "fold=3", "fold=4"});
  for (std::size_t v = 0; v < 24; ++v) {
    const StudyVariant& variant = selection.trials.variants[v];
    CHECK(variant.combination == v / 4);
    CHECK(cost_of(variant.pipeline) == cost_of(selection.candidates[v / 4]));
    for (const PipelineNode& node : variant.pipeline.nodes) {
      CHECK(node.fold.count == (node.inputs.empty() ? 4 : 0));
      if (node.inputs.empty()) CHECK(node.fold.index == v % 4);
    }
  }
  CHECK(cost_of(selection.candidates[0]) == 0.1);
  CHECK(cost_of(selection.candidates[5]) == 10);
  for (const PipelineNode& node : selection.candidates[0].nodes) CHECK(node.fold == Fold{});
}

TEST_CASE("halving is a number of two or more, and needs folds") {
  const auto checked = check_with(metric + "  folds: 4\n  halving: 3\n" + two_parameters);
  REQUIRE(checked.pipeline);
  CHECK(checked.pipeline->selection->halving == 3);
  CHECK(check_with(metric + two_parameters).pipeline->selection->halving == 0);
  const auto said = [&](const std::string& lines) {
    return render(check_with(metric + lines + two_parameters).diagnostics);
  };
  CHECK(said("  halving: 1\n").find("'halving' must be a number from 2 to 100") !=
        std::string::npos);
  CHECK(said("  folds: leave_one_out\n  halving: 2\n")
            .find("'halving' needs folds, but leave_one_out is one") != std::string::npos);
}

TEST_CASE("a change that the selection overrides is reported") {
  const std::string select = metric + two_parameters;
  const auto said = [&](const std::string& change) {
    const auto checked = check_with(select, {change});
    CHECK(checked.pipeline);
    return render(checked.diagnostics);
  };
  CHECK(said("nodes.svm.C=3")
            .find("this change has no effect: 'select.parameters.C' tries values "
                  "of its own") != std::string::npos);
  CHECK(said("nodes.rbf.gamma=3").find("select.parameters.gamma") != std::string::npos);
  CHECK(said("seed=3").empty());
  CHECK(said("select.parameters.C.values=[3]").empty());
  const auto partly = check_with(
      metric + "  parameters:\n    C: {given: {}, large: {nodes.svm.C: 100}}\n", {"nodes.svm.C=3"});
  CHECK(render(partly.diagnostics).empty());
}

TEST_CASE("five folds where none are given, and no parameters for a mere validation") {
  const auto checked = check_with(metric);
  REQUIRE(checked.pipeline);
  CHECK(checked.pipeline->selection->candidates.size() == 1);
  CHECK(checked.pipeline->selection->trials.variants.size() == 5);
}

TEST_CASE("a selection by accuracy takes the highest") {
  const auto checked = check_with("  metric: test.accuracy\n" + two_parameters);
  INFO(render(checked.diagnostics));
  REQUIRE(checked.pipeline);
  CHECK(checked.pipeline->selection->trials.higher_is_better);
  CHECK(checked.pipeline->selection->trials.unit == FigureUnit::share);
}

TEST_CASE("arguments reach the nodes and the selection") {
  const auto checked = check_with(metric + two_parameters, {"select.folds=3", "nodes.hog.cell=4"});
  INFO(render(checked.diagnostics));
  REQUIRE(checked.pipeline);
  CHECK(checked.pipeline->selection->trials.variants.size() == 18);
}

TEST_CASE("what is wrong with a selection") {
  struct Wrong {
    std::string select;
    std::vector<std::string> said;
  };
  const std::vector<Wrong> table = {
      {"  folds: 3\n", {"'select' does not say what it compares", "metric: NODE.FIGURE"}},
      {"  metric: tset.error_rate\n" + two_parameters, {"unknown evaluator or solver 'tset'"}},
      {"  metric: test.acuracy\n" + two_parameters,
       {"node 'test' (evaluator/classification) reports no figure 'acuracy'",
        "did you mean 'accuracy'?"}},
      {"  metric: test.accuracy\n  better: lower\n" + two_parameters,
       {"of 'accuracy' higher is better, as evaluator/classification declares it"}},
      {"  metric: test.rows\n" + two_parameters, {"does not say which of two values of 'rows'"}},
      {metric + "  folds: 1\n",
       {"'folds' must be a number from 2 to 1000 or leave_one_out, got '1'"}},
      {metric + "  folds: many\n",
       {"'folds' must be a number from 2 to 1000 or leave_one_out, got 'many'"}},
      {metric + "  fold: 3\n", {"'select' has no 'fold'", "did you mean 'folds'?"}},
      {metric + "  parameters: [C]\n", {"'parameters' must be a mapping of parameters"}},
      {metric + "  parameters:\n    C: {path: nodes.svm.c, values: [1]}\n",
       {"has no parameter or input 'c'"}},
      {metric + "  parameters:\n    C: {path: nodes.svm.C, values: [1, -2]}\n",
       {"must be in the range", "got -2", "in 1 of 2 variants"}},
      {metric + "  parameters:\n    C: {path: svm.C, values: [1]}\n",
       {"'svm.C' is not a path to a part of a node"}},
  };
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.select);
    const auto checked = check_with(wrong.select);
    CHECK_FALSE(checked.pipeline);
    const std::string said = render(checked.diagnostics);
    for (const std::string& part : wrong.said)
      CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
  }
}

TEST_CASE("an unknown part of select on the command line") {
  const std::string said = render(check_with(metric, {"select.flods=3"}).diagnostics);
  CHECK_MESSAGE(said.find("'select' has no 'flods'") != std::string::npos, said);
}

}  // namespace
}  // namespace semblance::testing::selection_test
