// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "report/figure_line.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::metrics_test {
namespace {

using Json = nlohmann::ordered_json;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

NodeRecord evaluator() {
  NodeRecord node;
  node.name = "test";
  node.component = "evaluator/classification";
  node.seconds = 0.25;
  node.figures = {{"accuracy", "", FigureUnit::share, Better::higher, true},
                  {"rows", "", FigureUnit::count},
                  {"eer", "", FigureUnit::share, Better::lower},
                  {.name = "*", .documentation = ""}};
  RecordingReport report(node);
  report.number("accuracy", 0.75);
  report.integer("rows", 4);
  report.text("certificate", "converged");
  report.number("eer", inf);
  report.curve({"objective", "iteration", "value", {0, 1}, {2.5, inf}});
  report.table({"confusion", "true", "predicted", {"a", "b"}, {"a", "b"}, {2, 0, 1, 1}});
  return node;
}

PlaneMap plane() {
  PlaneMap map{"regions",
               "x",
               "y",
               {"a", "b"},
               -1,
               1.0 / 3,
               0,
               inf,
               3,
               2,
               {0, 0, 1, 1, 1, 0},
               {{0.1, -0.0, 1, true}, {nan, 2, -1, false}},
               "support vector"};
  map.circles = {{0.1, -0.0, 1}};
  map.circle_labels = {"one", "another"};
  return map;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

TEST_CASE("metrics.json holds what the contract says, with null for what is not finite") {
  RunRecord run;
  run.pipeline = "quickstart";
  run.seed = 18446744073709551615u;
  run.nodes = {evaluator()};
  run.threads = 2;
  run.peak_memory_bytes = 1024;
  run.wall_seconds = 1.5;
  const Json expected = Json::parse(R"({
    "pipeline": "quickstart", "seed": 18446744073709551615,
    "nodes": {"test": {
      "component": "evaluator/classification", "seconds": 0.25, "cached": false,
      "accuracy": 0.75, "rows": 4, "certificate": "converged", "eer": null,
      "objective": {"x": [0, 1], "y": [2.5, null]},
      "confusion": {"rows": ["a", "b"], "columns": ["a", "b"], "values": [[2, 0], [1, 1]]}}},
    "figures": {"evaluator/classification": {
      "accuracy": {"unit": "share", "better": "higher", "headline": true},
      "rows": {"unit": "count", "better": "none"},
      "eer": {"unit": "share", "better": "lower"}}},
    "threads": 2, "peak_memory_bytes": 1024, "wall_seconds": 1.5})");
  CHECK(metrics_json(run) == expected);

  const testing::TestFolder folder;
  write_metrics(run, folder.path / "metrics.json");
  const std::string text = testing::content(folder.path / "metrics.json");
  CHECK(Json::parse(text) == expected);
  CHECK(text.find("\n          [2, 0],\n") == std::string::npos);
  CHECK(text.find("\n          [2,0],\n") != std::string::npos);
}

TEST_CASE("names with quotes and text that is not UTF-8 still give valid JSON") {
  RunRecord run;
  run.pipeline = "a\"<&'\\\n";
  run.nodes = {evaluator()};
  run.nodes[0].tables[0].rows[0] = "broken \xff";
  const Json read = Json::parse(readable_json(metrics_json(run)));
  CHECK(read["pipeline"] == "a\"<&'\\\n");
  CHECK(read["nodes"]["test"]["confusion"]["rows"][0] == "broken \xEF\xBF\xBD");
}

TEST_CASE("an empty run has an object of no nodes") {
  CHECK(metrics_json({})["nodes"] == Json::object());
  CHECK(Json::parse(readable_json(metrics_json({}))) == metrics_json({}));
}

TEST_CASE("a name can be reported once") {
  NodeRecord node = evaluator();
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.number("accuracy", 1), "'accuracy' is reported twice", Error);
  CHECK_THROWS_WITH_AS(report.integer("objective", 1), "'objective' is reported twice", Error);
  CHECK_THROWS_WITH_AS(report.text("confusion", ""), "'confusion' is reported twice", Error);
  CHECK_THROWS_WITH_AS(report.curve({"confusion", "", "", {}, {}}), "'confusion' is reported twice",
                       Error);
  CHECK_THROWS_WITH_AS(report.table({"rows", "", "", {}, {}, {}}), "'rows' is reported twice",
                       Error);
}

TEST_CASE("what cannot stand in metrics.json is refused") {
  NodeRecord node;
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.number("", 1), "a reported value needs a name", Error);
  CHECK_THROWS_WITH_AS(
      report.number("seconds", 1),
      "'seconds' cannot be reported: metrics.json uses that name for the node itself", Error);
  CHECK_THROWS_WITH_AS(report.number("Error Rate", 1),
                       "'Error Rate' is not a valid name for a metric: use lower-case letters, "
                       "digits and underscores",
                       Error);
  CHECK_THROWS_WITH_AS(report.curve({"gap", "", "", {1, 2}, {1}}),
                       "the curve 'gap' has 2 values of x but 1 of y", Error);
  CHECK_THROWS_WITH_AS(report.table({"t", "", "", {"a"}, {"b", "c"}, {1}}),
                       "the table 't' has 1 rows and 2 columns but 1 values", Error);
  CHECK(node.metrics.empty());
  CHECK(node.curves.empty());
  CHECK(node.tables.empty());
}

TEST_CASE("a number that is not declared is refused, with what to declare") {
  NodeRecord node;
  node.component = "evaluator/mine";
  node.figures = {{"error_rate", "", FigureUnit::share, Better::lower, true},
                  {"top_*_accuracy", "", FigureUnit::share, Better::higher}};
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.number("eror_rate", 0.1),
                       "evaluator/mine reports the figure 'eror_rate', which its declaration does "
                       "not name; add .reports({\"eror_rate\", \"one line of documentation\"}), "
                       "with its unit and which of two values is better",
                       Error);
  CHECK_THROWS_AS(report.integer("rows", 3), Error);
  CHECK_THROWS_AS(report.number("top__accuracy", 1), Error);
  CHECK(node.metrics.empty());
  report.number("error_rate", 0.125);
  report.number("top_3_accuracy", 1);
  report.text("certificate", "converged");
  CHECK(node.figure("top_3_accuracy").better == Better::higher);
  RunRecord run;
  run.nodes = {node};
  const Json told = metrics_json(run)["figures"]["evaluator/mine"];
  CHECK(told["error_rate"] == Json{{"unit", "share"}, {"better", "lower"}, {"headline", true}});
  CHECK(told["top_3_accuracy"] == Json{{"unit", "share"}, {"better", "higher"}});
  CHECK(told.size() == 2);
}

TEST_CASE("headline figures are those that are declared to be, in that order") {
  NodeRecord node;
  node.figures = {{"accuracy", "", FigureUnit::share, Better::higher, true},
                  {"error_rate", "", FigureUnit::share, Better::lower, true},
                  {"rows", "", FigureUnit::count}};
  RecordingReport report(node);
  report.integer("rows", 4);
  CHECK(headline_figures(node) == std::vector<std::string>{"rows"});
  report.number("error_rate", 0.25);
  report.number("accuracy", 0.75);
  CHECK(headline_figures(node) == std::vector<std::string>{"accuracy", "error_rate"});
}

TEST_CASE("a figure that is not a number is an error") {
  NodeRecord node = evaluator();
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.number("kappa", nan),
                       "the figure 'kappa' is not a number (NaN): what does not exist must not be "
                       "reported; this is a mistake in evaluator/classification",
                       Error);
}

TEST_CASE("a stored report comes back bit by bit") {
  NodeRecord node = evaluator();
  const std::vector<double> odd = {0.1,  -0.0, 5e-324, 1.7976931348623157e308, nan, -nan, inf,
                                   -inf, 3.0,  1.0 / 3};
  RecordingReport report(node);
  report.curve({"odd", "x", "y", odd, odd});
  report.number("third", 1.0 / 3);
  report.number("infinite", -inf);
  report.number("whole", 3.0);
  report.text("word", "nan");
  report.integer("lowest", std::numeric_limits<std::int64_t>::min());

  const std::string text = report_to_json(node).dump();
  NodeRecord restored;  // its component no longer declares these figures
  report_from_json(Json::parse(text), restored);
  CHECK(report_to_json(restored).dump() == text);
  REQUIRE(restored.curves.size() == 2);
  CHECK(same_bits(restored.curves[1].x, odd));
  CHECK(same_bits(restored.curves[1].y, odd));
  CHECK(restored.curves[0].x_label == "iteration");
  CHECK(restored.metrics["eer"] == inf);
  CHECK(restored.metrics["infinite"] == -inf);
  CHECK(restored.metrics["whole"].is_number_float());
  CHECK(restored.metrics["word"] == "nan");
  CHECK(restored.metrics["rows"] == 4);
  CHECK(restored.tables[0].values == node.tables[0].values);
  CHECK(restored.tables[0].column_label == "predicted");
}

TEST_CASE("a stored picture of the plane comes back bit by bit") {
  NodeRecord node;
  RecordingReport(node).plane_map(plane());
  const std::string text = report_to_json(node).dump();
  NodeRecord restored;
  report_from_json(Json::parse(text), restored);
  CHECK(report_to_json(restored).dump() == text);
  REQUIRE(restored.plane_maps.size() == 1);
  const PlaneMap expected = plane();
  const PlaneMap& map = restored.plane_maps[0];
  CHECK(map.name == "regions");
  CHECK(map.x_label == "x");
  CHECK(map.y_label == "y");
  CHECK(map.groups == expected.groups);
  CHECK(same_bits({map.x_low, map.x_high, map.y_low, map.y_high}, {-1, 1.0 / 3, 0, inf}));
  CHECK(map.columns == 3);
  CHECK(map.rows == 2);
  CHECK(map.regions == expected.regions);
  CHECK(map.marked_label == "support vector");
  REQUIRE(map.points.size() == 2);
  CHECK(same_bits({map.points[0].x, map.points[0].y, map.points[1].x, map.points[1].y},
                  {0.1, -0.0, nan, 2}));
  CHECK(map.points[0].group == 1);
  CHECK(map.points[0].marked);
  CHECK(map.points[1].group == -1);
  CHECK_FALSE(map.points[1].marked);
  REQUIRE(map.circles.size() == 1);
  CHECK(same_bits({map.circles[0].x, map.circles[0].y}, {0.1, -0.0}));
  CHECK(map.circles[0].meaning == 1);
  CHECK(map.circle_labels == expected.circle_labels);
  Json older = Json::parse(text);
  older["plane_maps"][0].erase("circles");
  older["plane_maps"][0].erase("circle_labels");
  NodeRecord without;
  report_from_json(older, without);
  CHECK(without.plane_maps.at(0).circles.empty());
}

TEST_CASE("a picture of the plane whose parts do not fit is refused") {
  NodeRecord node;
  RecordingReport report(node);
  const auto message = [&](const std::function<void(PlaneMap&)>& change) {
    PlaneMap map = plane();
    change(map);
    try {
      report.plane_map(map);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message([](PlaneMap& m) { m.regions.pop_back(); }) ==
        "the plane map 'regions' has 2 rows and 3 columns but 5 regions");
  CHECK(message([](PlaneMap& m) { m.rows = 1, m.columns = 6; }) ==
        "the plane map 'regions' has 1 rows and 6 columns but 6 regions");
  const std::string outside = "the plane map 'regions' has a region or point outside its 2 groups";
  CHECK(message([](PlaneMap& m) { m.regions[3] = 2; }) == outside);
  CHECK(message([](PlaneMap& m) { m.regions[3] = -1; }) == outside);
  CHECK(message([](PlaneMap& m) { m.points[0].group = 2; }) == outside);
  CHECK(message([](PlaneMap& m) { m.points[0].group = -2; }) == outside);
  CHECK(message([](PlaneMap& m) { m.circles[0].meaning = 2; }) ==
        "the plane map 'regions' has a circle without a label");
  CHECK(message([](PlaneMap& m) { m.name = ""; }) == "a reported value needs a name");
  CHECK(node.plane_maps.empty());
  CHECK(message([](PlaneMap&) {}).empty());
  CHECK(message([](PlaneMap&) {}) == "'regions' is reported twice");
  CHECK_THROWS_WITH_AS(report.number("regions", 1), "'regions' is reported twice", Error);
  CHECK(node.plane_maps.size() == 1);
}

TEST_CASE("a damaged stored report is refused and changes nothing") {
  const char* damaged[] = {
      "[]",
      R"({"metrics": {}, "curves": []})",
      R"({"metrics": {"a": [1]}, "curves": [], "tables": [], "plane_maps": []})",
      R"({"metrics": {"a": {"number": "x"}}, "curves": [], "tables": [], "plane_maps": []})",
      R"({"metrics": {}, "curves": [{"name": "c"}], "tables": [], "plane_maps": []})",
      R"({"metrics": {}, "curves": 3, "tables": [], "plane_maps": []})",
      R"({"metrics": {}, "curves": [], "tables": []})",
      R"({"metrics": {}, "curves": [], "tables": [], "plane_maps": [{}]})"};
  for (const char* text : damaged) {
    CAPTURE(text);
    NodeRecord node = evaluator();
    CHECK_THROWS_AS(report_from_json(Json::parse(text), node), Error);
    CHECK(node.metrics.size() == 4);
  }
  NodeRecord node = evaluator();
  Json uneven = report_to_json(node);
  NodeRecord drawn;
  RecordingReport(drawn).plane_map(plane());
  uneven["plane_maps"] = report_to_json(drawn)["plane_maps"];
  uneven["plane_maps"][0]["marked"].push_back(0);
  CHECK_THROWS_WITH_AS(
      report_from_json(uneven, node),
      "the stored report of a node is damaged: a plane map has parts of different sizes", Error);
  CHECK(node.plane_maps.empty());
}

}  // namespace
}  // namespace semblance::metrics_test
