// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "report/metrics.hpp"
#include "report/page/html.hpp"
#include "report/page/html_testing.hpp"
#include "semblance/error.hpp"
#include "support/figure_text.hpp"
#include "support/test_folder.hpp"

namespace semblance::html_report_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;
using testing::without_d3;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string nasty = R"(<script>alert("x & 'y'")</script>)";

Table confusion(std::size_t classes, const std::string& suffix = "") {
  Table table{"confusion_matrix", "true", "predicted", {}, {}, {}};
  for (std::size_t i = 0; i < classes; ++i) table.rows.push_back("c" + std::to_string(i) + suffix);
  table.columns = table.rows;
  table.values.assign(classes * classes, 0);
  for (std::size_t i = 0; i < classes; ++i) table.values[i * classes + i] = 3;
  table.values[1] = 1;
  return table;
}

RunRecord sample_run() {
  RunRecord run;
  run.pipeline = "quickstart";
  run.description = "A small run.";
  run.command = "./semblance run pipelines/quickstart.yaml";
  run.version = "0.1.0";
  run.started = "2025-01-12T10:22:03Z";
  run.seed = 7;
  run.threads = 2;
  run.memory_budget = std::size_t{2} << 30;
  run.peak_memory_bytes = std::size_t{300} << 20;
  run.wall_seconds = 12.5;
  run.resolved_pipeline = "name: quickstart\n";
  run.files = {{"batch.bin", "xxh128:0123"}};
  run.plugins = {{"semblance_linear 0.1", "xxh128:4567"}};
  run.graph_svg =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"x\" \"http://www.w3.org/svg11.dtd\">\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>graph</text></svg>";

  NodeRecord hog;
  hog.name = "hog";
  hog.component = "feature/hog";
  hog.parameters = {{"cell", 8}};
  hog.seconds = 4;
  hog.bytes = 2048;
  hog.cached = true;
  NodeRecord svm;
  svm.name = "svm";
  svm.component = "solver/linear_svm";
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
                  {"per_class.recall", "", FigureUnit::share, Better::higher}};
  RecordingReport evaluator(test);
  evaluator.number("error_rate", 0.25);
  evaluator.number("accuracy", 0.75);
  evaluator.integer("rows", 12345);
  evaluator.table(confusion(3));
  evaluator.table({"per_class", "class", "", {"a", "b"}, {"recall", "support"}, {0.5, 6, nan, 4}});
  run.nodes = {hog, svm, test};
  return run;
}

TEST_CASE("the page shows the results of the run and how to repeat it") {
  const std::string page = html_report(sample_run());
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, R"(<dt>accuracy</dt><dd>75.00<span class="unit">%</span></dd>)"));
  CHECK(page.find("<dt>accuracy</dt>") < page.find("<dt>error rate</dt>"));
  CHECK(contains(page, "<dt>rows</dt><dd>12,345</dd>"));
  CHECK(contains(page, "<dt>train time</dt><dd>3.5 s</dd>"));
  CHECK(contains(page, "<dd>converged</dd>"));
  CHECK(contains(page, R"x(title="c0 classified as c1: 1 of 4 (25.0%)">1</td>)x"));
  CHECK(contains(page, R"x(title="c1 recognized: 3 of 3 (100.0%)">3</td>)x"));
  CHECK(contains(page, R"(<td data-v="">–</td>)"));
  CHECK(contains(page, R"(<figure class="chart" data-chart="lines" data-title="svm objective">)"));
  CHECK(contains(page, R"("lines":[{"x":[0.0,1.0,2.0],"y":[9.0,4.0,3.0],"name":"objective"}])"));
  CHECK(contains(page, "<text>graph</text>"));
  CHECK(contains(page, R"(<span class="pill">cached</span>)"));
  CHECK(contains(page, "2.0 KiB"));
  CHECK(contains(page, "cell 8"));
  CHECK(contains(page, "./semblance run pipelines/quickstart.yaml"));
  CHECK(contains(page, "300 MiB at the peak of a budget of 2.0 GiB"));
  CHECK(contains(page, "xxh128:0123"));
  CHECK(contains(page, "name: quickstart\n"));
  CHECK(contains(page, "2025-01-12 10:22 UTC"));
}

TEST_CASE("the result comes first, then the warnings; the contents list every section") {
  RunRecord run = sample_run();
  run.warnings = {"svm: slow"};
  const std::string page = html_report(run);
  const std::string body = page.substr(page.find("<body>"));
  std::size_t before = 0;
  for (const char* part :
       {"<h1>", "<nav class=\"contents\"", "<section class=\"headline\">", "<h2>Warnings</h2>",
        "<h2>Evaluation</h2>", "<h2>Training</h2>", "<h2>Pipeline</h2>", "<h2>Time and memory</h2>",
        "<h2>Reproduce this run</h2>"}) {
    CAPTURE(part);
    REQUIRE(body.find(part) != std::string::npos);
    CHECK(body.find(part) > before);
    before = body.find(part);
  }
  CHECK(contains(page, R"(<a href="#warnings">Warnings</a> <a href="#evaluation">Evaluation</a> )"
                       R"(<a href="#training">Training</a> <a href="#pipeline">Pipeline</a> )"
                       R"(<a href="#time">Time and memory</a> )"
                       R"(<a href="#reproduce">Reproduce this run</a> </nav>)"));
  CHECK_FALSE(contains(html_report(RunRecord{}), "<nav"));
}

TEST_CASE("the accuracy has its confidence interval where the errors are counted") {
  RunRecord run = sample_run();
  CHECK_FALSE(contains(html_report(run), "confidence interval"));
  NodeRecord& test = run.nodes.back();
  test.metrics["errors"] = 25;
  test.metrics["rows"] = 100;
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, R"x((Wilson), for 100 independent test rows">65.7–82.5%</span></dt>)x"));
  CHECK(contains(page, R"(">17.5–34.3%</span></dt><dd>25.00<span)"));
  test.metrics["errors"] = 101;
  CHECK_FALSE(contains(html_report(run), "confidence interval"));
}

TEST_CASE("a solver's way to its tolerance is one chart, with the tolerance as a line") {
  RunRecord run = sample_run();
  run.nodes.back().curves = {
      {"convergence_by_iteration", "iteration", "gap", {0, 1}, {1, 1e-6}},
      {"convergence_by_iteration_tolerance", "iteration", "gap", {0, 1}, {1e-5, 1e-5}}};
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "convergence by iteration"));
  CHECK(contains(page, R"("levels":[1e-05])"));
  CHECK_FALSE(contains(page, "by iteration tolerance"));
}

TEST_CASE("a ROC curve has its diagonal and its area") {
  RunRecord run = sample_run();
  NodeRecord& test = run.nodes.back();
  test.metrics["auc"] = 0.8754;
  test.curves = {{"roc", "false_positive_rate", "true_positive_rate", {0, 0.2, 1}, {0, 0.7, 1}},
                 {"precision_recall", "recall", "precision", {0, 1}, {1, 0.5}}};
  const std::string page = html_report(run);
  CHECK(count(page, R"("diagonal":true)") == 1);
  CHECK(count(page, R"("inside":"AUC = 0.875")") == 1);
  test.curves[0].name = "roc_a";
  test.curves[1] = test.curves[0];
  test.curves[1].name = "roc_b";
  CHECK(contains(html_report(run), R"("inside":"mean AUC = 0.875")"));
}

TEST_CASE("the page of a variant has its figures and tables, and no script") {
  RunRecord run = sample_run();
  run.nodes.back().tables.push_back(confusion(31));
  const std::string page = html_variant_report(run, "C=10,seed=<1>");
  CHECK(nesting_fault(page) == "");
  CHECK(page.size() < 60'000);
  CHECK(contains(page, R"(<p class="lead">C=10,seed=&lt;1&gt;</p>)"));
  CHECK(contains(page, "<dt>accuracy</dt><dd>75.00"));
  CHECK(contains(page, R"(<table class="heat">)"));
  CHECK(contains(page, R"(<a href="../../report.html">The study</a>)"));
  CHECK_FALSE(contains(page, "<script>"));
  CHECK_FALSE(contains(page, R"(data-chart="lines")"));
  CHECK_FALSE(contains(page, "c30"));
  CHECK_FALSE(contains(page, "300 MiB"));
}

TEST_CASE("a confusion matrix without errors explains no colour of errors") {
  RunRecord run = sample_run();
  CHECK(contains(html_report(run), "Wrong, deepest at 25.0% of the row."));
  for (Table& table : run.nodes.back().tables)
    if (table.name == "confusion_matrix") table.values[1] = 0;
  CHECK_FALSE(contains(html_report(run), "Wrong, deepest"));
}

TEST_CASE("a figure and its error have the same decimals") {
  CHECK(figure_with_error(FigureUnit::plain, 0.963, 0.0044467) == "0.9630 ± 0.0044");
  CHECK(figure_with_error(FigureUnit::plain, 12345.678, 12.3) == "12346 ± 12");
  CHECK(figure_with_error(FigureUnit::plain, 2.5, 0.25) == "2.50 ± 0.25");
  CHECK(figure_with_error(FigureUnit::share, 0.975, 0.00421) == "97.50% ± 0.42%");
  CHECK(figure_with_error(FigureUnit::plain, 0.5, 0) == "0.5 ± 0");
}

TEST_CASE("nothing is fetched: the page holds all it needs") {
  const std::string page = without_d3(html_report(sample_run()));
  for (const char* resource : {" src=", "xlink:href", "<link", "@import", "url(", "<img", "<iframe",
                               "fetch(", "https://", ".dtd"})
    CHECK_MESSAGE(!contains(page, resource), resource);
  // Links lead within the page only.
  CHECK(count(page, " href=") == count(page, " href=\"#"));
  // The name of the SVG language is the only address, and it is not the address of a file.
  CHECK(count(page, "http://") == count(page, "http://www.w3.org/2000/svg"));
  CHECK(contains(page, "default-src 'none'"));
}

TEST_CASE("all text is escaped wherever it stands") {
  RunRecord run = sample_run();
  run.pipeline = run.description = run.command = run.version = run.started = nasty;
  run.resolved_pipeline = nasty;
  run.files = {{nasty, nasty}};
  run.plugins = {{nasty, nasty}};
  run.warnings = {nasty};
  for (NodeRecord& node : run.nodes) {
    node.name = node.summary = nasty;
    node.component += nasty;
    node.parameters = {{nasty, nasty}};
    node.metrics["text"] = nasty;
    node.curves.push_back({nasty, nasty, nasty, {1, 2}, {1, 2}});
    node.tables.push_back({nasty, nasty, nasty, {nasty}, {nasty}, {1}});
    node.tables.push_back(confusion(3, nasty));
    node.tables.push_back(confusion(31, nasty));
  }
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(count(without_d3(page), "<script>") == 1);
  CHECK_FALSE(contains(page, "alert(\""));
}

TEST_CASE("many classes are drawn as cells, few as numbers") {
  RunRecord run;
  run.nodes.resize(1);
  run.nodes[0].tables = {confusion(30)};
  CHECK(contains(html_report(run), R"(<table class="heat">)"));
  run.nodes[0].tables = {confusion(31)};
  const std::string page = html_report(run);
  CHECK_FALSE(contains(page, R"(<table class="heat">)"));
  CHECK(contains(page, R"("cells":[[0,0,3.0],[0,1,1.0],[1,1,3.0])"));
  CHECK(nesting_fault(page) == "");
}

TEST_CASE("odd records still give a page") {
  RunRecord run;
  CHECK(nesting_fault(html_report(run)) == "");
  run.nodes.resize(1);
  NodeRecord& node = run.nodes[0];
  node.component = "evaluator/odd";
  node.seconds = nan;
  node.metrics = {{"accuracy", nan}, {"odd", 3.5}, {"bad \xff", "\xfe"}};
  node.curves = {{"empty", "x", "y", {}, {}}, {"holes", "x", "y", {1, 2}, {nan, nan}}};
  Table zeros = confusion(2);
  zeros.values.assign(4, 0);
  Table hollow = confusion(2);
  hollow.values[0] = nan;
  node.tables = {{"none", "", "", {}, {}, {}}, zeros, hollow};
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "not a number"));
  CHECK(contains(page, "It has no finite values."));
  CHECK(contains(page, "It is empty."));
  CHECK_FALSE(contains(page, "nan%"));
}

TEST_CASE("the charting library is only where a chart is, with its licence") {
  RunRecord run;
  CHECK_FALSE(contains(html_report(run), "Mike Bostock"));
  const std::string page = html_report(sample_run());
  CHECK(contains(page, "Mike Bostock"));
  CHECK(contains(page, "Redistribution and use in source and binary forms"));
  CHECK(contains(page, ".d3=t.d3||{}"));
  CHECK_FALSE(contains(page, "@PAGE"));
}

TEST_CASE("long tables are folded") {
  RunRecord run;
  run.nodes.resize(1);
  Table table{"t", "row", "", std::vector<std::string>(41, "r"), {"a"}, std::vector<double>(41)};
  run.nodes[0].tables = {table};
  CHECK(contains(html_report(run), "<details><summary>41 rows</summary>"));
  CHECK(nesting_fault(html_report(run)) == "");
}

TEST_CASE("a graph that is no picture is refused") {
  RunRecord run;
  run.graph_svg = "digraph {}";
  CHECK_THROWS_WITH_AS(html_report(run), "the graph for the report is not an SVG picture", Error);
}

TEST_CASE("the report is written under its name") {
  const testing::TestFolder folder;
  write_html_report(sample_run(), folder.path / "report.html");
  CHECK(testing::content(folder.path / "report.html") == html_report(sample_run()));
}

TEST_CASE("the check of the nesting finds faults") {
  CHECK(nesting_fault("<p><b></p></b>") == "</p> closes <b>");
  CHECK(nesting_fault("<p>") == "<p> is left open");
  CHECK(nesting_fault("a < b") != "");
  CHECK(nesting_fault("<p title=\"a > b\">x<br></p>") == "");
}

TEST_CASE("what is not text for a page is replaced") {
  CHECK(html::escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html::escaped("zürich €𝄞") == "zürich €𝄞");
  CHECK(html::escaped(std::string("a\x01"
                                  "b\0c",
                                  5)) == "a\uFFFDb\uFFFDc");
  CHECK(html::escaped("\xC3") == "\uFFFD");
  CHECK(html::escaped("\xC0\xAF") == "\uFFFD\uFFFD");
  CHECK(html::escaped("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("values are shown in the declared unit") {
  CHECK(figure_text(FigureUnit::share, 0.9137) == "91.37%");
  CHECK(figure_text(FigureUnit::share, 1) == "100.00%");
  CHECK(figure_text(FigureUnit::plain, 0.01) == "0.01");
  CHECK(figure_text(FigureUnit::share, 91.0) == "91");
  CHECK(figure_text(FigureUnit::seconds, 75) == "75 s");
  CHECK(figure_text(FigureUnit::bytes, 2048) == "2.0 KiB");
  CHECK(figure_text(FigureUnit::count, 12345) == "12,345");
  CHECK(words("mean_eer") == "mean EER");
  CHECK(figure_words("train_seconds", FigureUnit::seconds) == "train time");
  CHECK(figure_words("train_seconds", FigureUnit::plain) == "train seconds");
  CHECK(figure_words("model_bytes", FigureUnit::bytes) == "model");
}

}  // namespace
}  // namespace semblance::html_report_test
