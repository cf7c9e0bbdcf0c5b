// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::wrong_studies_test {
namespace {

struct WrongStudy {
  const char* what;
  std::string study;
  std::vector<std::string> said;  ///< each is part of the output
};

const std::string metric = "  metric: test.error_rate\n";
const std::string slots = "  slots:\n    C: {path: nodes.svm.C, values: [0.1, 1]}\n";

void expect_wrong(const WrongStudy& wrong) {
  CAPTURE(wrong.what);
  const StudyCheck checked = check_study_text(study_text(wrong.study));
  CHECK_FALSE(checked.study.has_value());
  const std::string said = render(checked.diagnostics);
  for (const std::string& part : wrong.said)
    CHECK_MESSAGE(said.find(part) != std::string::npos, said, " lacks ", part);
}

TEST_CASE("wrong changes of a study by --set") {
  const auto said = [](const std::string& change) {
    const StudyCheck checked = check_study_text(study_text(metric + slots), {change});
    CHECK_FALSE(checked.study.has_value());
    return render(checked.diagnostics);
  };
  const auto tells = [&](const std::string& change, const std::string& part) {
    const std::string text = said(change);
    CHECK_MESSAGE(text.find(part) != std::string::npos, text, " lacks ", part);
  };
  tells("study={}", "cannot replace the whole study");
  tells("study.slots.c.values=[1]", "'slots' of the study has no 'c'");
  tells("study.slot.C.values=[1]", "the study has no 'slot'");
  tells("study.slot.C.values=[1]", "did you mean 'slots'?");
  tells("study.repeats.seeds=3", "a new part is given as a whole: study.repeats={seeds: ...}");
  tells("study.slots.B.values=[1]", "a new part is given as a whole: study.slots.B={values: ...}");
  tells("study.metric.node=test", "'metric' has no part 'node'");
  tells("study.slots.C.valuse=[1]", "did you mean 'values'?");
  tells("study.reapets={seeds: 2}", "did you mean 'repeats'?");
  tells("study.slots.C.values=[1, 1]", "--set: error: '1' is given twice");
  tells("study.only=[{C: 7}]", "--set: error: unknown alternative of slot 'C'");
}

TEST_CASE("wrong keys, metrics and slots of a study") {
  const std::vector<WrongStudy> table = {
      {"no metric",
       slots,
       {"s.yaml:4:1: error: the study does not say what it compares", "metric: NODE.FIGURE"}},
      {"metric without figure",
       "  metric: test\n" + slots,
       {"s.yaml:5:11: error: 'metric' must be a node and a figure", "got 'test'"}},
      {"metric of an unknown node",
       "  metric: tset.error_rate\n" + slots,
       {"s.yaml:5:11: error: unknown evaluator or solver 'tset'", "did you mean 'test'?"}},
      {"metric of a node that is nothing alike",
       "  metric: judge.error_rate\n" + slots,
       {"unknown evaluator or solver 'judge'", "figures are reported by svm and test"}},
      {"misspelt figure",
       "  metric: test.acuracy\n" + slots,
       {"s.yaml:5:11: error: node 'test' (evaluator/classification) reports no figure 'acuracy'",
        "did you mean 'accuracy'?"}},
      {"figure that there is not",
       "  metric: test.auc\n" + slots,
       {"reports no figure 'auc'", "it reports accuracy, error_rate, top_*_accuracy and rows"}},
      {"column of a table",
       "  metric: test.classes.recall\n" + slots,
       {"reports no figure 'classes.recall'"}},
      {"better that contradicts",
       "  metric: test.accuracy\n  better: lower\n" + slots,
       {"s.yaml:6:11: error: of 'accuracy' higher is better, as evaluator/classification declares "
        "it",
        "omit 'better'"}},
      {"figure without a direction",
       "  metric: test.rows\n" + slots,
       {"s.yaml:5:11: error: evaluator/classification does not say which of two values of 'rows' "
        "is better",
        "add better: lower, or better: higher"}},
      {"variants that disagree",
       "  metric: test.accuracy\n  slots:\n    e:\n      one: {}\n"
       "      two: {nodes.test.is: evaluator/inaccuracy}\n",
       {"s.yaml:5:11: error: of 'accuracy' higher is better in evaluator/classification and lower "
        "is better in evaluator/inaccuracy",
        "(in 1 of 2 variants, first 'e=two')"}},
      {"a figure that one variant lacks",
       "  metric: test.error_rate\n  slots:\n    e:\n      one: {}\n"
       "      two: {nodes.test.is: evaluator/inaccuracy}\n",
       {"node 'test' (evaluator/inaccuracy) reports no figure 'error_rate' (in 1 of 2 variants"}},
      {"metric of a node without figures",
       "  metric: hog.error_rate\n" + slots,
       {"unknown evaluator or solver 'hog'"}},
      {"unknown key",
       metric + slots + "  repeat: {seeds: 3}\n",
       {"s.yaml:8:3: error: a study has no 'repeat'", "did you mean 'repeats'?"}},
      {"better",
       metric + "  better: more\n" + slots,
       {"'better' must be lower or higher, got 'more'"}},
      {"no slots", metric, {"the study varies nothing", "add slots:"}},
      {"slots are a list", metric + "  slots: [a]\n", {"'slots' must be a mapping of slots"}},
      {"empty slot",
       metric + "  slots:\n    C: {}\n",
       {"slot 'C' must be a mapping of alternatives, got an empty mapping"}},
      {"name of a slot",
       metric + "  slots:\n    a,b: {x: {}}\n",
       {"'a,b' is not a valid name for a slot", "letters, digits"}},
      {"name of an alternative",
       metric + "  slots:\n    a: {\"x=y\": {}}\n",
       {"'x=y' is not a valid name for an alternative"}},
      {"alternative is a text",
       metric + "  slots:\n    a: {x: similarity/rbf}\n",
       {"alternative 'x' must be a mapping of changes, got 'similarity/rbf'", "{bypass: NODE}"}},
      {"path is no path",
       metric + "  slots:\n    a: {x: {svm.C: 1}}\n",
       {"s.yaml:7:13: error: 'svm.C' is not a path to a part of a node"}},
      {"values without path",
       metric + "  slots:\n    a: {values: [1]}\n",
       {"slot 'a' needs both 'path' and 'values'"}},
      {"values are no list",
       metric + "  slots:\n    a: {path: nodes.svm.C, values: 3}\n",
       {"'values' must be a list, got '3'"}},
      {"value twice",
       metric + "  slots:\n    a: {path: nodes.svm.C, values: [1, 1]}\n",
       {"'1' is given twice"}},
      {"value without name",
       metric + "  slots:\n    a: {path: nodes.svm.C, values: [{a: b}]}\n",
       {"this value is not a valid name for an alternative", "name the alternatives"}},
  };
  for (const auto& wrong : table) expect_wrong(wrong);
}

TEST_CASE("wrong combinations, filters, repeats and baselines") {
  const std::string start = metric + slots;
  const std::vector<WrongStudy> table = {
      {"unknown slot", start + "  only: {D: 1}\n", {"s.yaml:8:10: error: unknown slot 'D'"}},
      {"unknown alternative",
       start + "  exclude: {C: 2}\n",
       {"unknown alternative of slot 'C': '2'", "choose from 0.1 and 1"}},
      {"filters leave nothing",
       start + "  exclude: {C: [0.1, 1]}\n",
       {"the filters leave no combination"}},
      {"filter that matches nothing",
       start + "  combine: [{C: 1}]\n  exclude: {C: 0.1}\n",
       {"no combination matches this"}},
      {"combination twice",
       start + "  combine: [{C: 1}, {C: 1}]\n",
       {"this combination is given twice"}},
      {"combination in a list and alone",
       start + "  combine: [{C: [0.1, 1]}, {C: 1}]\n",
       {"this combination is given twice"}},
      {"combine",
       start + "  combine: all\n",
       {"'combine' must be 'product', 'one_at_a_time' or a list"}},
      {"baseline left out",
       start + "  baseline: {C: 1}\n  exclude: {C: 1}\n",
       {"the baseline is not one of the combinations"}},
      {"baseline of two methods, each over two cells",
       metric + "  slots:\n    C: {path: nodes.svm.C, values: [0.1, 1]}\n"
                "    cell: {path: nodes.hog.cell, values: [4, 8]}\n"
                "  over: cell\n  baseline: {C: [0.1, 1]}\n",
       {"2 combinations match the baseline"}},
      {"baseline not unique",
       start + "  baseline: {C: [0.1, 1]}\n",
       {"2 combinations match the baseline"}},
      {"repeats", start + "  repeats: 5\n", {"'repeats' must be a mapping, got '5'"}},
      {"one fold", start + "  repeats: {folds: 1}\n", {"'folds' must be a number from 2 to 1000"}},
      {"folds that are none",
       start + "  repeats: {folds: leave_one_out}\n",
       {"'folds' must be a number from 2 to 1000, got 'leave_one_out'"}},
      {"folds and a path",
       start + "  repeats: {folds: 3, path: nodes.svm.C}\n",
       {"'repeats' with folds has no 'path'"}},
      {"no seeds", start + "  repeats: {seeds: 0}\n", {"a number from 1 to 1000"}},
      {"seed twice", start + "  repeats: {seeds: [1, 1]}\n", {"seed=1 is given twice"}},
      {"too many",
       metric + "  slots:\n    C: {path: nodes.svm.C, values: [1, 2, 3, 4, 5]}\n"
                "    g: {path: nodes.rbf.gamma, values: [1, 2, 3, 4, 5]}\n"
                "  repeats: {seeds: 1000}\n",
       {"this makes more than 20000 pipelines"}},
      {"a pipeline that is not there",
       start + "  pipeline: none.yaml\n",
       {"the study both has nodes and names a pipeline"}},
  };
  for (const auto& wrong : table) expect_wrong(wrong);
  const auto alone = check_study_text("name: s\nstudy:\n  pipeline: none.yaml\n" + metric + slots);
  CHECK(render(alone.diagnostics).find("s.yaml:3:13: error: 'none.yaml': no such file") !=
        std::string::npos);
}

TEST_CASE("a file that is no mapping is no pipeline to vary") {
  const auto folder = std::filesystem::temp_directory_path() / "semblance_no_pipeline_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "study.yaml")
      << "name: s\nstudy:\n  pipeline: base.yaml\n" + metric + slots;
  const auto said = [&](const std::string& content) {
    std::ofstream(folder / "base.yaml") << content;
    const auto checked = load_study(folder / "study.yaml", test_catalogue(), {});
    CHECK_FALSE(checked.study.has_value());
    return render(checked.diagnostics);
  };
  const auto tells = [&](const std::string& content, const std::string& part) {
    const std::string text = said(content);
    CHECK_MESSAGE(text.find(part) != std::string::npos, text, " lacks ", part);
  };
  tells("just text\n", "base.yaml' is no pipeline: it holds 'just text', not a mapping");
  tells("- a\n- b\n", "base.yaml' is no pipeline: it holds a list, not a mapping");
  tells("", "base.yaml' is no pipeline: it holds nothing, not a mapping");
  tells("# nothing yet\n", "base.yaml' is no pipeline: it holds nothing, not a mapping");
  tells("just text\n", "study.yaml:3:13: error: ");
  std::filesystem::remove_all(folder);
}

TEST_CASE("what is wrong with variants is said once, where it stands") {
  const std::vector<WrongStudy> table = {
      {"value out of range",
       metric + "  slots:\n    C: {path: nodes.svm.C, values: [1, -2]}\n",
       {"s.yaml:7:40: error: 'C' must be in the range (0, inf), got -2",
        "(in 1 of 2 variants, first 'C=-2')"}},
      {"unknown node",
       metric + "  slots:\n    C: {path: nodes.smv.C, values: [1, 2]}\n",
       {"unknown node 'smv'", "did you mean 'svm'?"}},
      {"unknown component",
       metric + "  slots:\n    s: {a: {nodes.rbf.is: similarity/rfb}}\n",
       {"did you mean 'similarity/rbf'?"}},
      {"new node that nothing uses has no effect but is wrong",
       metric + "  slots:\n    s: {a: {nodes.svm.from: new}}\n",
       {"unknown node 'new'"}},
      {"bypass of a source",
       metric + "  slots:\n    s: {a: {bypass: images}}\n",
       {"node 'images' has no input that could take its place"}},
      {"drop of all there is",
       metric + "  slots:\n    s: {a: {drop: rbf}}\n",
       {"node 'rbf' cannot be dropped: it is the only node that 'svm' names", "drop svm too"}},
      {"drop of an unknown node",
       metric + "  slots:\n    s: {a: {drop: rfb}}\n",
       {"unknown node 'rfb'", "did you mean 'rbf'?"}},
      {"wrong layout",
       metric + "  slots:\n    s: {a: {bypass: hog}, b: {bypass: [hog, x], "
                "nodes.rbf.is: similarity/rigid}}\n",
       {"similarity/rigid", "in 1 of 2 variants"}},
  };
  for (const auto& wrong : table) expect_wrong(wrong);
}

TEST_CASE("what is wrong with the pipeline itself is said once, not once a variant") {
  const std::string text = replaced(study_text(metric + slots), "cell: 8", "cell: 0");
  const StudyCheck checked = check_study_text(text);
  REQUIRE(checked.diagnostics.size() == 1);
  CHECK(checked.diagnostics[0].message.find("variants") == std::string::npos);
}

TEST_CASE("mistakes in the study and in its variants are reported in one pass") {
  expect_wrong({"baseline and value",
                metric + "  slots:\n    C: {path: nodes.svm.C, values: [1, -2]}\n"
                         "  baseline: {C: 3}\n",
                {"unknown alternative of slot 'C': '3'", "must be in the range (0, inf), got -2"}});
}

TEST_CASE("a node that no variant uses is a warning") {
  const std::string text =
      study_text(metric + "  slots:\n    s: {a: {nodes.svm.from: x}, b: {nodes.svm.from: hog}}\n");
  const StudyCheck checked = check_study_text(text);
  CHECK(checked.study);
  REQUIRE(checked.diagnostics.size() == 2);
  CHECK(checked.diagnostics[0].severity == Severity::warning);
  CHECK(checked.diagnostics[0].message == "no variant uses node 'bases'");
  CHECK(checked.diagnostics[1].message == "no variant uses node 'rbf'");
}

TEST_CASE("a pipeline is no study") {
  const auto checked = check_study_text(good_text);
  CHECK(render(checked.diagnostics).find("this is not a study") != std::string::npos);
}

}  // namespace
}  // namespace semblance::testing::wrong_studies_test
