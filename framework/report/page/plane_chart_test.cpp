// SPDX-License-Identifier: MIT
#include "report/page/plane_chart.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace semblance::plane_chart_test {
namespace {

using Json = nlohmann::ordered_json;
constexpr double infinity = std::numeric_limits<double>::infinity();

PlaneMap plane() {
  PlaneMap map;
  map.name = "decision_regions";
  map.x_label = "first_value";
  map.y_label = "y";
  map.groups = {"a", "b", "</script>"};
  map.x_low = -1;
  map.x_high = 1;
  map.y_low = 0;
  map.y_high = 3;
  map.columns = 3;
  map.rows = 2;
  map.regions = {0, 0, 1, 1, 2, 0};
  map.points = {{0.1, 0.2, 1, true}, {infinity, 0, 0, false}, {1, 2, -1, false}};
  map.marked_label = "support_vector";
  map.circles = {{0.1, 0.2, 1}, {0, infinity, 0}};
  map.circle_labels = {"basis", "vector"};
  return map;
}

TEST_CASE("a plane map becomes runs of regions and its finite points") {
  const Json data = plane_data(plane());
  CHECK(data["regions"].dump() == "[2,0,2,1,1,2,1,0]");
  CHECK(data["points"].dump() == "[[0.1,0.2,1,1],[1.0,2.0,-1,0]]");
  CHECK(data["range"].dump() == "[-1.0,1.0,0.0,3.0]");
  CHECK(data["x"] == "first value");
  CHECK(data["marked"] == "support vector");
  CHECK(data["equal"] == true);
  CHECK(data["circles"].dump() == "[[0.1,0.2,1]]");
  CHECK(data["circle_labels"].dump() == R"(["basis","vector"])");
}

TEST_CASE("a long strip has a scale of its own on each axis, and says so") {
  PlaneMap map = plane();
  map.points.erase(map.points.begin() + 1);
  CHECK(plane_data(map)["remark"] == "");
  map.y_high = 9;
  CHECK(plane_data(map)["equal"] == false);
  CHECK(plane_data(map)["remark"] == "The axes have different scales.");
}

TEST_CASE("of too many points an even part of every group is shown") {
  PlaneMap map = plane();
  map.points.clear();
  for (int i = 0; i < 5000; ++i) map.points.push_back({0, 0, i % 2, false});
  const Json data = plane_data(map, 1000);
  CHECK(data["points"].size() > 990);
  CHECK(data["points"].size() < 1010);
  const auto first = std::ranges::count_if(data["points"], [](const Json& p) { return p[2] == 0; });
  CHECK(first > 450);
  CHECK(first < 550);
  CHECK(data["remark"].get<std::string>().ends_with(" of 5000 points are shown."));
}

TEST_CASE("a plane without finite axes is mentioned, not drawn") {
  PlaneMap map = plane();
  CHECK(plane_chart_html(map, "svm")
            .find(R"(data-chart="plane" data-title="svm decision regions")") != std::string::npos);
  CHECK(plane_chart_html(map, "svm").find("\\u003c/script>") != std::string::npos);
  for (const double high : {infinity, -1.0}) {
    map.x_high = high;
    CHECK(plane_chart_html(map, "svm").find("cannot be drawn") != std::string::npos);
    CHECK(plane_chart_html(map, "svm").find("<script") == std::string::npos);
  }
}

}  // namespace
}  // namespace semblance::plane_chart_test
