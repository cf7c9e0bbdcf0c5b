// SPDX-License-Identifier: MIT
#include "report/page/curve_chart.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "report/page/chart.hpp"

namespace semblance::curve_chart_test {
namespace {

using Json = nlohmann::ordered_json;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("a short curve is all there, values that are not finite are gaps") {
  const Json line = line_data({"c", "x", "y", {0, 1, 2, 3}, {0.5, nan, infinity, 1}});
  CHECK(line["x"].dump() == "[0.0,null,null,3.0]");
  CHECK(line["y"].dump() == "[0.5,null,null,1.0]");
}

TEST_CASE("a long curve is thinned out but keeps its spikes and its gaps") {
  Curve curve{"c", "x", "y", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54321 ? 10 : i == 70000 ? nan : 0);
  }
  const Json line = line_data(curve, 600);
  CHECK(line["x"].size() == line["y"].size());
  CHECK(line["x"].size() <= 610);
  CHECK(line["x"].size() >= 300);
  CHECK(std::ranges::count(line["y"], Json(10.0)) == 1);
  CHECK(std::ranges::count(line["y"], Json(nullptr)) == 1);
  CHECK(line["x"][0] == 0.0);
}

TEST_CASE("curves called det are drawn on normal-deviate axes") {
  CHECK(is_det_curve({"det", "a", "b", {0.1}, {0.2}}));
  CHECK(is_det_curve({"det_svm", "FMR", "FNMR", {0.1}, {0.2}}));
  CHECK_FALSE(is_det_curve({"details", "FMR", "FNMR", {0.1}, {0.2}}));
  CHECK_FALSE(is_det_curve({"det", "a", "b", {0.1}, {20}}));
  CHECK(axes_data({"det", "FMR", "FNMR", {0.1}, {0.2}}, {})["y_share"] == true);
}

TEST_CASE("curves of one kind share a chart") {
  const auto chart = [](const std::string& name) {
    return shared_chart({name, "a", "b", {0.1}, {0.2}});
  };
  CHECK(chart("det_svm") == "DET curves");
  CHECK(chart("roc") == "ROC curves");
  CHECK(chart("roc_ship") == "ROC curves");
  CHECK(chart("precision_recall_ship") == "precision and recall");
  CHECK(chart("reliability_perfect") == "reliability");
  CHECK(chart("rocket").empty());
  CHECK(chart("objective").empty());
}

TEST_CASE("convergence has a logarithmic axis, and its tolerance is a level line") {
  const std::vector<Curve> all = {
      {"convergence_by_iteration", "iteration", "gap", {0, 1, 2, 3}, {1, 0.1, 0, 1e-6}},
      {"convergence_by_iteration_tolerance", "iteration", "gap", {0, 3}, {1e-5, 1e-5}},
      {"error_tolerance", "C", "error", {0, 3}, {1, 1}}};
  CHECK(axes_data(all[0], {})["logarithmic"] == true);
  CHECK(axes_data(all[2], {})["logarithmic"] == false);
  CHECK(levels_of(all[0], all) == std::vector<double>{1e-5});
  CHECK(levels_of(all[2], all).empty());
  CHECK_FALSE(is_level(all[0], all));
  CHECK(is_level(all[1], all));
  CHECK_FALSE(is_level(all[2], all));
  // 0 has no place on the axis.
  CHECK(line_data(all[0])["y"].dump() == "[1.0,0.1,null,1e-06]");
  const std::string html = curve_chart_html(all[0], "svm", {}, "", levels_of(all[0], all));
  CHECK(html.find(R"("levels":[1e-05])") != std::string::npos);
}

TEST_CASE("an axis is in per cent where it is declared as a share, and its values are") {
  const std::vector<FigureInfo> figures = {{"error_rate", "", FigureUnit::share},
                                           {"d.error", "", FigureUnit::share}};
  CHECK(axes_data({"c", "iteration", "error_rate", {1}, {0.2}}, figures)["y_share"] == true);
  CHECK(axes_data({"c", "iteration", "error_rate", {1}, {2}}, figures)["y_share"] == false);
  CHECK(axes_data({"c", "iteration", "error_rate", {1}, {0.2}}, {})["y_share"] == false);
  CHECK(axes_data({"d", "iteration", "error", {1}, {0.2}}, figures)["y_share"] == true);
  CHECK(axes_data({"c", "iteration", "error", {1}, {0.2}}, figures)["y_share"] == false);
}

TEST_CASE("a curve without points is mentioned, not drawn") {
  CHECK(curve_chart_html({"c", "x", "y", {}, {}}, "svm", {}).find("no finite values") !=
        std::string::npos);
  CHECK(curve_chart_html({"c", "x", "y", {1}, {nan}}, "svm", {}).find("<script") ==
        std::string::npos);
  CHECK(curve_chart_html({"c", "x", "y", {1}, {1}}, "svm", {}).find("data-title=\"svm c\"") !=
        std::string::npos);
}

TEST_CASE("no text can end the block of data") {
  const std::string nasty = "</script><!--<script>\xff";
  const std::string block = chart::data_block({{nasty, nasty}});
  const std::string inside =
      block.substr(block.find('>') + 1, block.rfind('<') - block.find('>') - 1);
  CHECK(inside.find('<') == std::string::npos);
  CHECK(Json::parse(inside).begin().key() == "</script><!--<script>\uFFFD");
}

TEST_CASE("numbers are rounded to what a picture shows") {
  CHECK(chart::number(0.1 + 0.2).dump() == "0.3");
  CHECK(chart::number(nan).is_null());
  CHECK(chart::number(-infinity).is_null());
}

}  // namespace
}  // namespace semblance::curve_chart_test
