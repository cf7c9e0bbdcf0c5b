// SPDX-License-Identifier: MIT
#include "report/page/page_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/page/testing/html_testing.hpp"
#include "semblance/error.hpp"
#include "support/base64.hpp"
#include "support/figure_text.hpp"
#include "support/test_folder.hpp"

namespace semblance::page_data_test {
namespace {

using testing::contains;
using testing::count;
using testing::data_of;
using testing::without_d3;
using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

RunRecord run_with(const NodeRecord& node) {
  RunRecord run;
  run.pipeline = "quickstart";
  run.nodes = {node};
  return run;
}

Json node_of(const NodeRecord& node) { return data_of(html_report(run_with(node)))["nodes"][0]; }

TEST_CASE("a short curve is all there, values that are not finite are gaps") {
  const Curve line = page::thinned({"c", "x", "y", {0, 1, 2, 3}, {0.5, nan, infinity, 1}});
  CHECK(line.x.size() == 4);
  CHECK(std::isnan(line.x[1]));
  CHECK(std::isnan(line.y[2]));
  CHECK(line.y[3] == 1);
}

TEST_CASE("a long curve is thinned out but keeps its spikes and its gaps") {
  Curve curve{"c", "x", "y", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54321 ? 10 : i == 70000 ? nan : 0);
  }
  const Curve line = page::thinned(curve, 600);
  CHECK(line.x.size() == line.y.size());
  CHECK(line.x.size() <= 610);
  CHECK(line.x.size() >= 300);
  CHECK(std::ranges::count(line.y, 10.0) == 1);
  CHECK(std::ranges::count_if(line.y, [](double y) { return std::isnan(y); }) == 1);
  CHECK(line.x[0] == 0.0);
}

TEST_CASE("the tolerance of a convergence is a level line") {
  const std::vector<Curve> all = {
      {"convergence_by_iteration", "iteration", "gap", {0, 1, 2, 3}, {1, 0.1, 0, 1e-6}},
      {"convergence_by_iteration_tolerance", "iteration", "gap", {0, 3}, {1e-5, 1e-5}},
      {"error_tolerance", "C", "error", {0, 3}, {1, 1}}};
  CHECK(page::levels_of(all[0], all) == std::vector<double>{1e-5});
  CHECK(page::levels_of(all[2], all).empty());
  CHECK_FALSE(page::is_level(all[0], all));
  CHECK(page::is_level(all[1], all));
  CHECK_FALSE(page::is_level(all[2], all));
  // 0 has no place on the axis.
  CHECK(std::isnan(page::thinned(all[0]).y[2]));
}

TEST_CASE("columns and axes have the units that the component declares") {
  NodeRecord node;
  node.figures = {{"error_rate", "", FigureUnit::share},
                  {"d.error", "", FigureUnit::share},
                  {"weights.share", "", FigureUnit::share}};
  node.metrics = {{"error_rate", 0.25}, {"undefined", nan}};
  node.curves = {{"c", "iteration", "error_rate", {1}, {0.2}}, {"d", "x", "error", {1}, {0.2}}};
  node.tables = {{"t", "row", "", {"a"}, {"error_rate", "n"}, {0.5, 3}}};
  node.drawings = {Bars{"weights", "share", {"a"}, {1.0 / 3}, {}, ""},
                   HeatMap{"h", "", "", {"r"}, {"c"}, {1.0 / 3}, ""}};
  const Json data = node_of(node);
  CHECK(data["units"].dump() == R"({"error_rate":"share","undefined":"plain"})");
  CHECK(data["metrics"]["undefined"] == "nan");
  CHECK(data["curves"][0]["y_unit"] == "share");
  CHECK(data["curves"][0]["x_unit"] == "plain");
  CHECK(data["curves"][1]["y_unit"] == "share");
  CHECK(data["tables"][0]["units"].dump() == R"(["share","plain"])");
  CHECK(data["drawings"][0]["unit"] == "share");
  CHECK(data["drawings"][0]["values"][0] == 0.333333333);
  CHECK(data["drawings"][1]["values"][0] == 0.3333);
}

TEST_CASE("the accuracy has its confidence interval where the errors are counted") {
  NodeRecord node;
  node.metrics = {{"accuracy", 0.75}, {"errors", 25}, {"rows", 100}};
  const Json intervals = node_of(node)["intervals"];
  CHECK(intervals["accuracy"]["low"].get<double>() == doctest::Approx(0.6569).epsilon(0.001));
  CHECK(intervals["error_rate"]["high"].get<double>() == doctest::Approx(0.3431).epsilon(0.001));
  CHECK_FALSE(intervals["accuracy"].contains("groups"));
  // For as many independent rows as have this error, 0.75 * 0.25 / 0.01 = 18.75, and Student's
  // quantile with 9 degrees of freedom.
  node.metrics["groups"] = 10;
  node.metrics["standard_error"] = 0.1;
  const Json grouped = node_of(node)["intervals"]["error_rate"];
  const double t = 2.2621571627409915, n = 18.75, scale = 1 + t * t / n;
  const double reach = t * std::sqrt(0.25 * 0.75 / n + t * t / (4 * n * n)) / scale;
  CHECK(grouped["low"].get<double>() ==
        doctest::Approx((0.25 + t * t / (2 * n)) / scale - reach).epsilon(1e-9));
  CHECK(grouped["high"].get<double>() ==
        doctest::Approx((0.25 + t * t / (2 * n)) / scale + reach).epsilon(1e-9));
  CHECK(grouped["groups"] == 10);
  node.metrics["groups"] = 1;  // which says nothing of other groups
  CHECK(node_of(node)["intervals"].empty());
  node.metrics.erase("groups");
  node.metrics["errors"] = 101;
  CHECK(node_of(node)["intervals"].empty());
}

PlaneMap plane() {
  PlaneMap map;
  map.name = "decision_regions";
  map.groups = {"a", "b", "</script>"};
  map.columns = 3;
  map.rows = 2;
  map.regions = {0, 0, 1, 1, 2, 0};
  map.points = {{0.1, 0.2, 1, true}, {infinity, 0, 0, false}, {1, 2, -1, false}};
  map.circles = {{0.1, 0.2, 1}, {0, infinity, 0}};
  map.circle_labels = {"basis", "vector"};
  return map;
}

TEST_CASE("a plane map becomes runs of regions and its finite points") {
  NodeRecord node;
  node.plane_maps = {plane()};
  const Json data = node_of(node)["plane_maps"][0];
  CHECK(data["regions"].dump() == "[2,0,2,1,1,2,1,0]");
  CHECK(data["points"].dump() == "[[0.1,0.2,1,true],[1.0,2.0,-1,false]]");
  CHECK(data["circles"].dump() == "[[0.1,0.2,1]]");
  CHECK(data["all_points"] == 3);
}

TEST_CASE("of too many points an even part of every group is shown") {
  NodeRecord node;
  node.plane_maps = {plane()};
  node.plane_maps[0].points.clear();
  for (int i = 0; i < 20000; ++i) node.plane_maps[0].points.push_back({0, 0, i % 2, false});
  const Json points = node_of(node)["plane_maps"][0]["points"];
  CHECK(points.size() > 3960);
  CHECK(points.size() < 4040);
  const auto first = std::ranges::count_if(points, [](const Json& p) { return p[2] == 0; });
  CHECK(first > 1800);
  CHECK(first < 2200);
}

TEST_CASE("a long table ends where the page would be too large, and says how long it is") {
  NodeRecord node;
  node.tables = {{"t",
                  "",
                  "",
                  std::vector<std::string>(60000, "r"),
                  {"a", "b"},
                  std::vector<double>(120000, 1)}};
  const Json table = node_of(node)["tables"][0];
  CHECK(table["rows"].size() == 50000);
  CHECK(table["values"].size() == 100000);
  CHECK(table["all"] == 60000);
}

TEST_CASE("a page does not grow with the number of warnings") {
  RunRecord run;
  run.warnings.assign(100'000, "1 row is old");
  const std::string page = html_report(run);
  CHECK(page.size() < html_report(RunRecord{}).size() + 20'000);
  CHECK(data_of(page)["warnings"][0]["count"] == 100'000);
  CHECK(data_of(page)["warnings"][0]["texts"].size() == 200);
}

TEST_CASE("no text can end the block of data, and none is lost") {
  const std::string nasty = "</script><!--<script>alert(\"x & 'y'\")\xff";
  RunRecord run = run_with({});
  run.pipeline = run.description = nasty;
  run.nodes[0].name = run.nodes[0].component = nasty;
  run.nodes[0].tables = {{nasty, nasty, nasty, {nasty}, {nasty}, {1}}};
  const std::string page = html_report(run);
  CHECK(count(without_d3(page), "<script") == 2);
  CHECK(count(without_d3(page), "</script>") == 2);
  CHECK(data_of(page)["pipeline"] == "</script><!--<script>alert(\"x & 'y'\")\uFFFD");
}

TEST_CASE("nothing is fetched: the page holds all it needs, and says so without scripts") {
  const std::string page = without_d3(html_report(run_with({})));
  for (const char* resource :
       {" src=", "<link", "@import", "url(", "<img", "<iframe", "fetch(", "https://"})
    CHECK_MESSAGE(!contains(page, resource), resource);
  CHECK(contains(page, "default-src 'none'"));
  CHECK(contains(page, "script-src 'unsafe-inline';"));
  CHECK(contains(page, "allow JavaScript to read it"));
  CHECK_FALSE(contains(page, "@PAGE"));
  const std::string whole = html_report(run_with({}));
  CHECK(contains(whole, "Mike Bostock"));
  CHECK(contains(whole, "Redistribution and use in source and binary forms"));
  CHECK(contains(whole, ".d3=t.d3||{}"));
}

TEST_CASE("a variant's page has no curves, and shares the scripts of its study") {
  NodeRecord node;
  node.curves = {{"c", "x", "y", {1}, {1}}};
  node.plane_maps = {plane()};
  node.tables = {{"t", "row", "", {"a"}, {"n"}, {3}}};
  RunRecord run = run_with(node);
  run.started = "2026-01-12T10:22:03Z";
  run.threads = 2;
  const testing::TestFolder folder;
  const auto place = folder.path / "variants/C=10";
  std::filesystem::create_directories(place);
  write_html_variant_report(run, "C=10", place / "report.html");
  const std::string page = testing::content(place / "report.html");
  CHECK(page.size() < 40'000);
  CHECK(contains(page, R"(<script src="../../page.js"></script>)"));
  CHECK(contains(testing::content(folder.path / "page.js"), "Mike Bostock"));
  const Json data = data_of(page);
  CHECK(data["description"] == "C=10");
  CHECK(data["started"] == "");
  CHECK(data["threads"] == 0);
  CHECK(data["nodes"][0]["curves"].empty());
  CHECK(data["nodes"][0]["plane_maps"].empty());
  CHECK(data["nodes"][0]["tables"].size() == 1);
}

TEST_CASE("a study's page has the sums of its nodes' times, by name and component") {
  StudyRecord study;
  for (int i = 0; i < 1000; ++i) {
    NodeRecord node;
    node.name = "svm[" + std::to_string(i) + ",seed=1]";
    node.component = "solver/kernel_svm";
    node.summary = "A kernel machine";
    node.parameters = {{"C", i}};
    node.metrics = {{"objective", 0.5}};
    node.seconds = i == 7 ? 2 : i == 8 ? nan : 0.5;
    node.bytes = 10;
    node.cached = i % 4 == 0;
    study.run.nodes.push_back(node);
  }
  study.run.nodes.back().component = "solver/linear_svm";
  const Json nodes = data_of(html_study_report(study))["nodes"];
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0]["summary"] == "A kernel machine");
  CHECK(nodes[0]["count"] == 999);
  CHECK(nodes[0]["seconds"] == 2 + 0.5 * 997);
  CHECK(nodes[0]["bytes"] == 9990);
  CHECK(nodes[0]["cached"] == 250);
  CHECK(nodes[0]["slowest"]["name"] == "svm[7,seed=1]");
  CHECK(nodes[1]["count"] == 1);
  CHECK_FALSE(nodes[0].contains("metrics"));
}

TEST_CASE("a graph that is no picture is refused, and the head of a file is left out") {
  RunRecord run;
  run.graph_svg = "<?xml version=\"1.0\"?><!DOCTYPE svg PUBLIC \"x\"><svg><text>a</text></svg>";
  CHECK(data_of(html_report(run))["graph"] == "<svg><text>a</text></svg>");
  run.graph_svg = "digraph {}";
  CHECK_THROWS_WITH_AS(html_report(run), "the graph for the report is not an SVG picture", Error);
}

TEST_CASE("numbers are rounded to what a picture shows") {
  CHECK(page::number(0.1 + 0.2).dump() == "0.3");
  CHECK(page::number(nan).is_null());
  CHECK(page::number(-infinity).is_null());
}

/// The first 33 bytes of a PNG file of 1 x 1 pixel.
const std::string png_header(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0\x3a\x7e\x9b\x55", 33);

const std::vector<Drawing> one_of_each = {
    Bars{"weights", "share", {"a", "<b>"}, {0.5, nan}, {0.125, 0}, "Two of them."},
    Scatter{
        "places", "x_axis", "y", {"one"}, {{-1, 0.1, 0, true}, {2, nan, -1, false}}, "odd", "c"},
    HeatMap{"cells", "row", "column", {"r"}, {"c", "d"}, {1.0 / 3, nan}, "caption"},
    Picture{"picture", png_header, "d"}};

TEST_CASE("stored drawings come back as they were, and are checked again") {
  NodeRecord node;
  RecordingReport report(node);
  for (const Drawing& drawing : one_of_each) report.draw(drawing);
  const Json stored = report_to_json(node);
  NodeRecord restored;
  report_from_json(Json::parse(stored.dump()), restored);
  CHECK(report_to_json(restored).dump() == stored.dump());
  CHECK(html_report(run_with(node)) == html_report(run_with(restored)));
  Json changed = stored;
  changed["drawings"][3]["png"] = base64("<script/>");
  CHECK_THROWS_AS(report_from_json(changed, restored), Error);
  changed = stored;
  changed["drawings"][0]["kind"] = "cake";
  CHECK_THROWS_AS(report_from_json(changed, restored), Error);
  changed = stored;
  changed["drawings"][2]["values"].push_back(1);
  CHECK_THROWS_AS(report_from_json(changed, restored), Error);
  CHECK(restored.drawings.size() == 4);
  CHECK_FALSE(report_to_json(NodeRecord{}).contains("drawings"));
  CHECK_THROWS_WITH_AS(report.number("cells", 1), "'cells' is reported twice", Error);
  CHECK_THROWS_WITH_AS(report.draw(one_of_each[0]), "'weights' is reported twice", Error);
  CHECK_THROWS_AS(report.draw(Picture{"p", "<svg onload='alert(1)'/>"}), Error);
}

TEST_CASE("metrics.json has the numbers of drawings") {
  NodeRecord node;
  node.name = "n";
  RecordingReport report(node);
  for (const Drawing& drawing : one_of_each) report.draw(drawing);
  const Json found = metrics_json(run_with(node))["nodes"]["n"];
  CHECK(found["weights"].dump() ==
        R"({"labels":["a","<b>"],"values":[0.5,null],"errors":[0.125,0.0]})");
  CHECK(found["places"].dump() == R"({"x":[-1,2],"y":[0.1,null],"group":["one",null]})");
  CHECK(found["cells"].dump() ==
        R"({"rows":["r"],"columns":["c","d"],"values":[[0.3333333333333333,null]]})");
  CHECK(found["picture"]["png"] == base64(png_header));
}

TEST_CASE("values are written in the declared unit") {
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
}  // namespace semblance::page_data_test
