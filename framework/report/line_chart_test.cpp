// SPDX-License-Identifier: MIT
#include "report/line_chart.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::string path(const std::string& chart) {
  const std::size_t start = chart.find(" d=\"") + 4;
  return chart.substr(start, chart.find('"', start) - start);
}

TEST_CASE("ticks are round numbers inside of the range") {
  CHECK(round_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(round_ticks(-3, 12, 3) == std::vector<double>{0, 5, 10});
  CHECK(round_ticks(1, 1, 5).empty());
  CHECK(round_ticks(1, std::nextafter(1, 2), 5).size() <= 21);
  for (const double tick : round_ticks(1e-7, 3.3e-6, 4)) {
    CHECK(tick >= 1e-7);
    CHECK(tick <= 3.3e-6);
  }
}

TEST_CASE("a line goes from the first point to the last, larger values higher up") {
  const std::string chart = line_chart({"c", "x", "y", {0, 10}, {0, 1}});
  CHECK(path(chart) == "M52.0 183.9L388.0 30.1");
  CHECK(count(chart, "<circle") == 2);
  CHECK(chart.find("log scale") == std::string::npos);
}

TEST_CASE("values that are not finite interrupt the line") {
  const std::string chart = line_chart({"c", "x", "y", {0, 1, 2, 3, 4}, {0, 1, nan, 1, 0}});
  CHECK(count(path(chart), "M") == 2);
  CHECK(count(path(chart), "L") == 2);
  CHECK(chart.find("nan") == std::string::npos);
}

TEST_CASE("positive values over many decades get a logarithmic axis") {
  CHECK(line_chart({"gap", "i", "gap", {0, 1, 2}, {1e4, 1, 1e-3}}).find("gap (log scale)") !=
        std::string::npos);
  CHECK(line_chart({"gap", "i", "gap", {0, 1, 2}, {1e4, 1, 0}}).find("(log scale)") ==
        std::string::npos);
  CHECK(
      line_chart({"a", "C", "y", {0.01, 0.1, 1, 10, 100}, {1, 2, 3, 2, 1}}).find("C (log scale)") !=
      std::string::npos);
}

TEST_CASE("constant, single, empty and extreme curves are drawn or explained") {
  CHECK(path(line_chart({"c", "x", "y", {1, 2}, {5, 5}})) == "M52.0 107.0L388.0 107.0");
  CHECK(count(line_chart({"c", "x", "y", {3}, {0}}), "<circle") == 1);
  CHECK(line_chart({"c", "x", "y", {}, {}}).find("no finite values") != std::string::npos);
  CHECK(line_chart({"c", "x", "y", {0, 1}, {-1.7e308, 1.7e308}}).find("too far apart") !=
        std::string::npos);
  CHECK(line_chart({"c", "x", "y", {0, 1}, {5e-324, 1e-323}}).find("nan") == std::string::npos);
}

TEST_CASE("a long curve is thinned out but keeps its spikes") {
  Curve curve{"c", "x", "y", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54321 ? 10 : 0);
  }
  const std::string line = path(line_chart(curve));
  CHECK(count(line, "L") < 2000);
  CHECK(line.find(" 30.1") != std::string::npos);
}

}  // namespace
}  // namespace semblance
