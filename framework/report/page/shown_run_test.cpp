// SPDX-License-Identifier: MIT
// What the scripts make of a run's data, in a browser.
#include <doctest/doctest.h>

#include <limits>

#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/page/testing/browser.hpp"
#include "report/page/testing/html_testing.hpp"

namespace semblance::shown_run_test {
namespace {

using testing::contains;
using testing::count;
using testing::shown;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Table confusion(std::size_t classes) {
  Table table{"confusion_matrix", "true", "predicted", {}, {}, {}};
  for (std::size_t i = 0; i < classes; ++i) table.rows.push_back("c" + std::to_string(i));
  table.columns = table.rows;
  table.values.assign(classes * classes, 0);
  for (std::size_t i = 0; i < classes; ++i) table.values[i * classes + i] = 3;
  table.values[1] = 1;
  return table;
}

RunRecord sample_run() {
  RunRecord run;
  run.pipeline = "quick <b>start</b>";
  run.description = "A small run.";
  run.command = "./semblance run pipelines/quickstart.yaml";
  run.version = "0.1.0";
  run.started = "2025-01-12T10:22:03Z";
  run.seed = 7;
  run.threads = 2;
  run.memory_budget = std::size_t{2} << 30;
  run.peak_memory_bytes = std::size_t{300} << 20;
  run.wall_seconds = 90;
  run.choosing_seconds = 80;
  run.resolved_pipeline = "name: quickstart\n";
  run.files = {{"batch.bin", "xxh128:0123"}};
  run.plugins = {{"semblance_linear 0.1", "xxh128:4567"}};
  run.warnings = {"svm: slow", "svm[1]: 3 <rows> are old", "svm[2]: 12 <rows> are old"};
  run.graph_svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>graph</text></svg>";

  NodeRecord hog;
  hog.name = "hog";
  hog.component = "feature/hog";
  hog.parameters = {{"cell", 8}};
  hog.seconds = 1.5;
  hog.bytes = 1024;
  hog.cached = true;
  NodeRecord svm;
  svm.name = "svm";
  svm.component = "solver/linear_svm";
  svm.seconds = 8.5;
  svm.bytes = 3072;
  svm.figures = {{"train_seconds", "", FigureUnit::seconds, Better::lower}};
  RecordingReport solver(svm);
  solver.number("train_seconds", 3.5);
  solver.text("certificate", "converged");
  solver.curve({"objective", "iteration", "objective", {0, 1, 2}, {9, 4, 3}});
  NodeRecord test;
  test.name = "test";
  test.component = "evaluator/classification";
  test.figures = {{"accuracy", "", FigureUnit::share, Better::higher, true},
                  {"error_rate", "", FigureUnit::share, Better::lower, true},
                  {"rows", "", FigureUnit::count},
                  {"errors", "", FigureUnit::count},
                  {"per_class.recall", "", FigureUnit::share, Better::higher}};
  RecordingReport evaluator(test);
  evaluator.number("error_rate", 0.46875);
  evaluator.number("accuracy", 0.53125);
  evaluator.integer("rows", 12800);
  evaluator.integer("errors", 6000);
  evaluator.table(confusion(3));
  evaluator.table({"per_class", "class", "", {"a", "b"}, {"recall", "support"}, {0.5, 6, nan, 4}});
  run.nodes = {hog, svm, test};
  return run;
}

TEST_CASE("the page shows the results of the run and how to repeat it, the result first") {
  if (testing::no_browser()) return;
  RunRecord bare, grouped = sample_run();
  bare.nodes.resize(1);
  grouped.nodes.back().metrics.update({{"groups", 1300}, {"standard_error", 0.02}});
  const std::vector<std::string> pages = shown({html_report(sample_run()), html_report(RunRecord{}),
                                                html_report(bare), html_report(grouped)});
  CHECK(pages[3].find("(Wilson), for 1300 independent groups of test rows\">49.2–57.0%") !=
        std::string::npos);
  const std::string& page = pages[0];
  std::size_t before = 0;
  for (const char* part : {"<h1>quick &lt;b&gt;start&lt;/b&gt;</h1>", "<nav class=\"contents\"",
                           "<section class=\"headline\">", "<h2>3 warnings of 2 kinds</h2>",
                           "<h2>Evaluation</h2>", "<h2>Training</h2>", "<h2>Pipeline</h2>",
                           "<h2>Time and memory</h2>", "<h2>Reproduce this run</h2>"}) {
    CAPTURE(part);
    REQUIRE(page.find(part) != std::string::npos);
    CHECK(page.find(part) > before);
    before = page.find(part);
  }
  for (const char* part :
       {R"(<a href="#time">Time and memory</a>)",
        // Halves are rounded to the even digit, as on the terminal.
        R"(</span></dt><dd>53.12<span class="unit">%</span></dd>)",
        R"x((Wilson), for 12,800 independent test rows">52.3–54.0%</span>)x",
        "<dt>rows</dt><dd>12,800</dd>", "<dt>train time</dt><dd>3.5 s</dd>", "<dd>converged</dd>",
        R"x(title="c0 classified as c1: 1 of 4 (25.0%)">1</td>)x",
        R"x(title="c1 recognized: 3 of 3 (100.0%)">3</td>)x", "Wrong, deepest at 25.0% of the row.",
        R"(<td data-v="">–</td>)", R"(<td class="share" data-v="0.5">)", "<text>graph</text>",
        R"(data-chart="lines" data-title="svm objective")", R"(<span class="pill">cached</span>)",
        "cell 8", "./semblance run pipelines/quickstart.yaml",
        "300 MiB at the peak of a budget of 2.0 GiB", "xxh128:0123", "name: quickstart\n",
        "2025-01-12 10:22 UTC", "<li>svm: slow</li>", "and 1 more like it",
        R"(<i style="width:85.0%"></i></span><span class="number">8.5 s</span>)"
        R"(<span class="number share">85%</span><span class="number kept">3.0 KiB</span>)"
        R"(<span class="number kept share">75%</span>)",
        "3 nodes were busy for 10 s in total, summed over 2 threads, and the run took 90 s, of "
        "which choosing parameters took 80 s. Outputs of 4.0 KiB are kept."})
    CHECK_MESSAGE(contains(page, part), part);
  CHECK(page.find(">accuracy") < page.find(">error rate"));
  CHECK(page.find(">solver<") < page.find(">feature<"));
  CHECK_FALSE(contains(pages[1], "<nav"));
  CHECK_FALSE(contains(pages[2], "NaN"));
}

TEST_CASE("tables and matrices are as the number of their rows asks for") {
  if (testing::no_browser()) return;
  RunRecord few, many;
  few.nodes.resize(1);
  few.nodes[0].component = "evaluator/odd";
  few.nodes[0].metrics = {{"accuracy", nan},    {"odd", 3.5},     {"large", 12345.65},
                          {"small", 0.0000125}, {"tie", 1234.25}, {"count", 1234567}};
  few.nodes[0].curves = {{"empty", "x", "y", {}, {}}, {"holes", "x", "y", {1, 2}, {nan, nan}}};
  Table right = confusion(30), hollow = confusion(2);
  right.values[1] = 0;
  hollow.values[0] = nan;
  few.nodes[0].tables = {right, {"none", "", "", {}, {}, {}}, hollow};
  many.nodes.resize(1);
  many.nodes[0].tables = {
      confusion(31),
      {"t", "row", "", std::vector<std::string>(41, "r"), {"a"}, std::vector<double>(41)}};
  const std::vector<std::string> pages = shown({html_report(few), html_report(many)});
  CHECK(count(pages[0], R"(<table class="heat">)") == 1);
  CHECK_FALSE(contains(pages[0], "Wrong, deepest"));
  CHECK(contains(pages[0], "No sample is misclassified."));
  CHECK(contains(pages[0], "It is empty."));
  for (const char* number : {"not a number", "3.5", "12,345.6", "1.25e-05", "1234.2", "1,234,567"})
    CHECK_MESSAGE(contains(pages[0], "<dd>" + std::string(number) + "</dd>"), number);
  CHECK(count(pages[0], "It has no finite values.") == 2);
  CHECK_FALSE(contains(pages[1], R"(<table class="heat">)"));
  CHECK(contains(pages[1], R"(<svg viewBox=)"));
  CHECK(contains(pages[1], "<details><summary>41 rows</summary>"));
}

TEST_CASE("curves of one kind share a chart, with what its axes mean") {
  if (testing::no_browser()) return;
  RunRecord run;
  run.nodes.resize(1);
  NodeRecord& node = run.nodes[0];
  node.name = "test";
  node.figures = {{"error_rate", "", FigureUnit::share}};
  node.metrics = {{"auc", 0.8754}};
  node.curves = {{"roc_a", "false_positive_rate", "true_positive_rate", {0, 0.2, 1}, {0, 0.7, 1}},
                 {"roc_b", "false_positive_rate", "true_positive_rate", {0, 0.2, 1}, {0, 0.6, 1}},
                 {"rocket", "x", "error_rate", {1, 2}, {0.25, 0.5}},
                 {"convergence_by_iteration", "iteration", "gap", {0, 1}, {1, 1e-6}},
                 {"convergence_by_iteration_tolerance", "iteration", "gap", {0, 1}, {1e-5, 1e-5}},
                 {"det", "FMR", "FNMR", {0.1, 0.2}, {0.2, 0.1}}};
  const std::string page = shown({html_report(run)})[0];
  CHECK(count(page, "data-chart=\"lines\"") == 4);
  CHECK(contains(page, "<h4>ROC curves</h4>"));
  CHECK(contains(page, ">mean AUC = 0.875</text>"));
  CHECK(contains(page, ">50%</text>"));
  CHECK(contains(page, ">tolerance</text>"));
  CHECK(contains(page, "gap (log scale)"));
  CHECK_FALSE(contains(page, "by iteration tolerance"));
  CHECK(contains(page, "<h4>det</h4>") == false);
  CHECK(contains(page, "<h4>DET</h4>"));
}

TEST_CASE("drawings are charts, tables where they are too large, or pictures") {
  if (testing::no_browser()) return;
  RunRecord run;
  run.nodes.resize(1);
  NodeRecord& node = run.nodes[0];
  node.name = "picture";
  node.figures = {{"weights.share", "", FigureUnit::share}};
  PlaneMap endless{"endless", "x", "y", {"a"}, 0, -1, 0, 1, 2, 2, {0, 0, 0, 0}, {}, ""};
  node.plane_maps = {endless};
  const std::vector<std::string> long_names(301, "r");
  node.drawings = {
      Bars{"weights", "share", {"a", "<b>"}, {0.5, nan}, {0.125, 0}, "Two of them."},
      Bars{"many",
           "v",
           std::vector<std::string>(12345, "x"),
           std::vector<double>(12345, 1),
           {},
           "C."},
      Scatter{"places", "x", "y", {"a", "b"}, {{-1, 0, 0}, {1, 0, 1}, {0, 0.5, 0}}, "", "Here."},
      Scatter{"one_place", "x", "y", {}, {{2, 2}}},
      Scatter{"nowhere", "x", "y", {}, {{nan, 0}}},
      Scatter{"strip", "x", "y", {}, {{0, 0}, {1000, 1}}},
      HeatMap{"h", "the_row", "column", {"<a>", "b"}, {"c", "d"}, {1, 0.123456, nan, 0}},
      HeatMap{"groups", "", "", {"a", "a"}, {"a", "a"}, {1, 2, 3, 4}, "By class."},
      HeatMap{"large", "", "", long_names, {"c"}, std::vector<double>(301, 1)}};
  const std::string page = shown({html_report(run)})[0];
  for (const char* part :
       {"<title>a: 50% ± 12.5%</title>",
        "C. The first 200 of 12,345 bars are shown; metrics.json has all of them.",
        "aria-label=\"picture places: 3 points\"", "<figcaption>Here.</figcaption>",
        "aria-label=\"picture one place: 1 points\"", "The axes have different scales.",
        "the row (rows) by column (columns)", "<title>&lt;a&gt;, d: 0.1235</title>",
        "aria-label=\"picture groups: 2 by 2\"", "<figcaption>By class.</figcaption>",
        "<summary>301 rows</summary>", "Its axes are not finite, so it cannot be drawn."})
    CHECK_MESSAGE(contains(page, part), part);
  CHECK(count(page, "data-chart=\"plane\"") == 4);
  CHECK_FALSE(contains(page, "NaN"));
}

/// Trials of all pairs, whose mean is 0.01 C + 0.001 gamma, on two folds.
SelectionRecord pairs(const std::vector<std::string>& costs,
                      const std::vector<std::string>& widths) {
  SelectionRecord choice;
  choice.metric = "test.error_rate";
  choice.unit = FigureUnit::share;
  choice.folds = 2;
  choice.parameters = {"C", "gamma"};
  for (const std::string& cost : costs)
    for (const std::string& width : widths) {
      const double value = 0.01 * std::stod(cost) + 0.001 * std::stod(width);
      choice.trials.push_back({{cost, width}, {value - 0.001, value + 0.001}, 0, {}, 0, 0, ""});
    }
  choose(choice);
  return choice;
}

std::string page_of(const SelectionRecord& choice) {
  RunRecord run;
  run.selection = choice;
  return html_report(run);
}

TEST_CASE("a choice is a picture of what was compared, and a table") {
  if (testing::no_browser()) return;
  SelectionRecord curve = pairs({"10", "1", "2"}, {"0.5"});
  curve.trials[2].failure = "no memory";
  SelectionRecord map = pairs({"10", "1"}, {"0.5", "5", "50"});
  map.trials[5].failure = "no memory";
  SelectionRecord three = pairs({"1", "2"}, {"1", "2"});
  three.parameters.insert(three.parameters.begin() + 1, "kernel");
  for (TrialRecord& trial : three.trials) trial.values.insert(trial.values.begin() + 1, "rbf");
  const auto others = three.trials;
  for (TrialRecord trial : others) {
    trial.values[1] = "poly";
    trial.mean += 0.5;
    three.trials.push_back(trial);
  }
  SelectionRecord words = pairs({"1", "2"}, {"1"});
  words.trials[0].values[0] = "a";
  SelectionRecord alone = pairs({"1"}, {"1"});
  alone.leave_one_out = true;
  alone.folds = 1;
  alone.trials[0].error = alone.trials[0].deviation = nan;
  const std::vector<std::string> pages =
      shown({page_of(curve), page_of(map), page_of(three), page_of(words), page_of(alone)});
  CHECK(contains(pages[0], "<h4>error rate against C</h4>"));
  CHECK(contains(pages[0],
                 "Chosen: C=1, gamma=0.5, with test.error_rate 1.05% ± 0.10% (mean and "
                 "standard error over 2 folds of the training rows). The lowest of 3 "
                 "wins; the figures above come from training with these values on all "
                 "training rows."));
  CHECK(contains(pages[0], "Bars are one standard error. 1 of 3 failed."));
  CHECK(contains(pages[0], "<summary>All 3 combinations as a table</summary>"));
  CHECK(contains(pages[0], ">C=1, gamma=0.5 (chosen)</th>"));
  CHECK(contains(pages[0], "<h2>test, cross-validated</h2>"));
  CHECK(count(pages[0], "<span class=\"bar\">") == 0);
  CHECK(contains(pages[1], "<title>1, 0.5: 1.05%</title>"));
  CHECK(contains(pages[1], "<title>10, 5: 10.50%</title>"));
  CHECK(contains(pages[1], "<title>1, 50: –</title>"));
  CHECK(contains(pages[1], "class=\"chosen\""));
  CHECK(contains(pages[2], "C (rows) by kernel (columns)"));
  CHECK(contains(pages[2], "<title>2, poly: 52.10%</title>"));
  CHECK(contains(pages[2], "The best mean of each pair over the values of the other parameters"));
  for (const std::size_t p : {3, 4}) {
    CHECK_FALSE(contains(pages[p], "data-chart"));
    CHECK(contains(pages[p], "<table class=\"numbers sortable\">"));
  }
  CHECK(contains(pages[4], "<h2>test, leave-one-out</h2>"));
  CHECK(contains(pages[4], "(each training row predicted from all others)"));
}

TEST_CASE("a study's nodes are merged over its variants in the tree of times") {
  if (testing::no_browser()) return;
  RunRecord run;
  for (int variant = 0; variant < 600; ++variant) {
    NodeRecord node;
    node.name = "svm[" + std::to_string(variant) + ",seed=1]";
    node.component = variant % 3 == 0 ? "solver/kernel_svm" : "solver/linear_svm";
    node.seconds = variant == 7 ? 2 : 0.01;
    run.nodes.push_back(node);
  }
  run.nodes[3].cached = true;
  run.nodes[0].parameters = {{"C", 10}};
  run.nodes[1].seconds = nan;
  const std::string page = shown({html_report(run)})[0];
  CHECK(count(page, R"(<div class="row)") == 2);  // the heads of the columns, and svm
  CHECK(contains(page, R"(<span class="name">svm</span> <code title="">solver/linear_svm</code>)"
                       R"( <code title="">solver/kernel_svm</code>)"));
  CHECK(contains(page, "600 nodes; the slowest, svm[7,seed=1], took 2.0 s"));
  CHECK(contains(page, R"(<span class="pill">1 cached</span>)"));
  CHECK_FALSE(contains(page, "C 10"));
  CHECK_FALSE(contains(page, "NaN"));
}

}  // namespace
}  // namespace semblance::shown_run_test
