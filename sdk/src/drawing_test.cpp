// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "semblance/error.hpp"
#include "semblance/report.hpp"
#include "semblance/testing.hpp"

namespace semblance::drawing_test {

namespace {

/// The first 33 bytes of a PNG file.
std::string png_header(std::uint32_t width, std::uint32_t height) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const std::uint32_t side : {width, height})
    for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>(side >> shift);
  return png + std::string(9, '\0');
}

}  // namespace

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
  refused(Picture{"p", "<svg viewBox='0 0 1 1'/>"}, "the picture 'p' is not a PNG file");
  refused(Picture{"p", png_header(70000, 1)},
          "the picture 'p' has 70000 x 1 pixels; up to 4096 on a side are shown");
  refused(Picture{"p", png_header(0, 1)},
          "the picture 'p' has 0 x 1 pixels; up to 4096 on a side are shown");
  refused(Picture{"p", png_header(1, 1) + std::string(Picture::most_bytes, 'x')},
          "the picture 'p' has 1048609 bytes; up to 1048576 are shown");
}

TEST_CASE("drawings that fit are kept, and points without groups are of none") {
  testing::MemoryReport report;
  report.draw(Bars{"bars", "weight", {"x", "y"}, {1, NAN}, {0.5, 0}});
  report.draw(Scatter{"scatter", "x", "y", {}, {{1, 2, 3, false}}});
  report.draw(Picture{"picture", png_header(3, 2)});
  CHECK(std::get<Bars>(report.drawings.at("bars")).labels.size() == 2);
  CHECK(std::get<Scatter>(report.drawings.at("scatter")).points.front().group == -1);
  CHECK(std::get<Picture>(report.drawings.at("picture")).png == png_header(3, 2));
  CHECK_THROWS_AS(report.draw(HeatMap{"bars", "", "", {}, {}, {}}), Error);
  CHECK_THROWS_AS(report.draw(Bars{"refused", "", {"x"}, {}}), Error);
}

}  // namespace semblance::drawing_test
