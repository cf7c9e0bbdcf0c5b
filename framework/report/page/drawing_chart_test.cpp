// SPDX-License-Identifier: MIT
#include "report/page/drawing_chart.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/page/html_testing.hpp"
#include "semblance/error.hpp"
#include "support/base64.hpp"

namespace semblance::drawing_chart_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;
using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RunRecord run_with(const Drawing& drawing) {
  RunRecord run;
  run.nodes.resize(1);
  run.nodes[0].name = "picture";
  run.nodes[0].figures = {{"weights.share", "", FigureUnit::share}};
  RecordingReport(run.nodes[0]).draw(drawing);
  return run;
}

std::string page_with(const Drawing& drawing) {
  const std::string page = html_report(run_with(drawing));
  CHECK(nesting_fault(page) == "");
  return page;
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

}  // namespace

TEST_CASE("a heat map with names beside its cells, and one of groups of equal names") {
  const std::string named =
      page_with(HeatMap{"h", "the_row", "column", {"<a>", "b"}, {"c", "d"}, {1, 0.123456, nan, 0}});
  CHECK(contains(named, R"(data-chart="heat")"));
  CHECK(contains(named, R"("row_label":"the row","column_label":"column","share":false)"));
  CHECK(contains(named, R"("values":[[1.0,0.1235],[null,0.0]])"));
  const std::string grouped =
      page_with(HeatMap{"h", "", "", {"a", "a"}, {"a", "a"}, {1, 2, 3, 4}, "By class."});
  CHECK(contains(grouped, R"(data-chart="matrix")"));
  CHECK(contains(grouped, "<figcaption>By class.</figcaption>"));
  CHECK(
      contains(page_with(HeatMap{
                   "h", "", "", std::vector<std::string>(60, "r"), {"c"}, std::vector<double>(60)}),
               R"(data-chart="matrix")"));
}

TEST_CASE("a heat map that is too large for a chart is a table") {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i <= most_heat_rows; ++i) rows.push_back(std::to_string(i));
  const HeatMap large{"h", "", "", rows, {"c"}, std::vector<double>(rows.size(), 1)};
  CHECK_FALSE(is_drawn(large));
  const std::string page = page_with(large);
  CHECK_FALSE(contains(page, "data-chart=\"matrix\""));
  CHECK(contains(page, R"(<table class="numbers)"));
}

TEST_CASE("points are in the plane, with room around them") {
  const std::string page = page_with(
      Scatter{"places", "x", "y", {"a", "b"}, {{-1, 0, 0}, {1, 0, 1}, {0, 0.5, 0}}, "", "Here."});
  CHECK(contains(page, R"(data-chart="plane")"));
  CHECK(contains(page, R"("groups":["a","b"],"range":[-1.1,1.1,-0.1,0.6])"));
  CHECK(contains(page, R"("points":[[-1.0,0.0,0,0],[1.0,0.0,1,0],[0.0,0.5,0,0]])"));
  CHECK(contains(page, "<figcaption>Here.</figcaption>"));
  // All at one place still have a plane around them; axes of different units each have their own.
  CHECK(contains(page_with(Scatter{"s", "x", "y", {}, {{2, 2}}}), R"("range":[1.0,3.0,1.0,3.0])"));
  CHECK(contains(page_with(Scatter{"s", "x", "y", {}, {{0, 0}, {1000, 1}}}),
                 R"("range":[-50.0,1050.0,-0.05,1.05])"));
  CHECK(contains(page_with(Scatter{"s", "x", "y", {}, {{nan, 0}}}), R"("range":[-1.0,1.0)"));
}

TEST_CASE("bars have their errors, and of many the first are shown") {
  const std::string page = page_with(one_of_each[0]);
  CHECK(contains(page, R"(data-chart="bars")"));
  CHECK(contains(page, R"("metric":"share","share":true)"));
  CHECK(contains(page, R"({"name":"a","mean":0.5,"deviation":0.125})"));
  CHECK(contains(page, R"({"name":"\u003cb>","mean":null,"deviation":0.0})"));
  const std::string many = page_with(Bars{
      "b", "v", std::vector<std::string>(12345, "x"), std::vector<double>(12345, 1), {}, "C."});
  CHECK(count(many, R"({"name":"x")") == most_bars);
  CHECK(contains(many, "C. The first 200 of 12,345 bars are shown; metrics.json has all of them."));
}

TEST_CASE("a picture is embedded in the page, with its name for readers who do not see it") {
  const std::string page = page_with(one_of_each[3]);
  CHECK(contains(page, R"(<img class="own" alt="picture picture" src="data:image/png;base64,)" +
                           base64(png_header) + R"("></div><figcaption>d</figcaption>)"));
  CHECK_THROWS_AS(run_with(Picture{"p", "<svg viewBox='0 0 1 1' onload='alert(1)'/>"}), Error);
}

TEST_CASE("stored drawings come back as they were, and are checked again") {
  NodeRecord node;
  RecordingReport report(node);
  for (const Drawing& drawing : one_of_each) report.draw(drawing);
  const Json stored = report_to_json(node);
  NodeRecord restored;
  report_from_json(Json::parse(stored.dump()), restored);
  CHECK(report_to_json(restored).dump() == stored.dump());
  RunRecord before, after;
  before.nodes = {node}, after.nodes = {restored};
  CHECK(html_report(before) == html_report(after));
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
}

TEST_CASE("metrics.json has the numbers of drawings") {
  RunRecord run;
  run.nodes.resize(1);
  run.nodes[0].name = "n";
  RecordingReport report(run.nodes[0]);
  for (const Drawing& drawing : one_of_each) report.draw(drawing);
  const Json found = metrics_json(run)["nodes"]["n"];
  CHECK(found["weights"].dump() ==
        R"({"labels":["a","<b>"],"values":[0.5,null],"errors":[0.125,0.0]})");
  CHECK(found["places"].dump() == R"({"x":[-1,2],"y":[0.1,null],"group":["one",null]})");
  CHECK(found["cells"].dump() ==
        R"({"rows":["r"],"columns":["c","d"],"values":[[0.3333333333333333,null]]})");
  CHECK(found["picture"]["png"] == base64(png_header));
}

TEST_CASE("the page of a variant has no charts, but pictures that need no script") {
  for (const Drawing& drawing : one_of_each) {
    const std::string page = html_variant_report(run_with(drawing), "a variant");
    CHECK(contains(page, "<img class=\"own\"") == std::holds_alternative<Picture>(drawing));
    CHECK_FALSE(contains(page, "data-chart="));
  }
}

}  // namespace semblance::drawing_chart_test
