// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "semblance/error.hpp"
#include "semblance/report.hpp"
#include "semblance/testing.hpp"

namespace semblance::drawing_test {

TEST_CASE("drawings whose parts do not fit are refused") {
  const auto refused = [](const Drawing& drawing, const std::string& why) {
    CHECK_THROWS_WITH_AS(checked_drawing(drawing), why.c_str(), Error);
  };
  refused(Bars{"b", "weight", {"x", "y"}, {1}}, "the bars 'b' have 2 labels but 1 values");
  refused(Bars{"b", "weight", {"x"}, {1}, {1, 2}}, "the bars 'b' have 1 values but 2 errors");
  refused(Bars{"b", "weight", {"x"}, {1}, {-1}}, "the bars 'b' have an error below 0: -1.000000");
  refused(Scatter{"s", "x", "y", {"a"}, {{0, 0, 1, false}}},
          "the scatter 's' has a point of group 1 but 1 groups");
  refused(HeatMap{"h", "row", "column", {"a", "b"}, {"c"}, {1}},
          "the heat map 'h' has 2 rows and 1 columns but 1 values");
  refused(SvgPicture{"p", "<svg viewBox='0 0 1 1'><script/></svg>"},
          "the picture 'p' is refused: line 1, column 24: the element 'script' is not allowed; "
          "these are: svg, g, path, rect, circle, ellipse, line, polyline, polygon, text, tspan, "
          "title, desc");
}

TEST_CASE("drawings that fit are kept, and points without groups are of none") {
  testing::MemoryReport report;
  report.draw(Bars{"bars", "weight", {"x", "y"}, {1, NAN}, {0.5, 0}});
  report.draw(Scatter{"scatter", "x", "y", {}, {{1, 2, 3, false}}});
  report.draw(SvgPicture{"picture", "<svg viewBox='0 0 1 1'/>"});
  CHECK(std::get<Bars>(report.drawings.at("bars")).labels.size() == 2);
  CHECK(std::get<Scatter>(report.drawings.at("scatter")).points.front().group == -1);
  CHECK(std::get<SvgPicture>(report.drawings.at("picture")).svg.starts_with("<svg xmlns="));
  CHECK_THROWS_AS(report.draw(HeatMap{"bars", "", "", {}, {}, {}}), Error);
  CHECK_THROWS_AS(report.draw(Bars{"refused", "", {"x"}, {}}), Error);
}

}  // namespace semblance::drawing_test
