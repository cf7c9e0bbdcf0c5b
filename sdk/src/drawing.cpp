// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/report.hpp"

namespace semblance {
namespace {

std::string number(std::size_t count) { return std::to_string(count); }

void check(Bars& bars) {
  const std::string subject = "the bars '" + bars.name + "' have ";
  if (bars.labels.size() != bars.values.size())
    throw Error(subject + number(bars.labels.size()) + " labels but " + number(bars.values.size()) +
                " values");
  if (!bars.errors.empty() && bars.errors.size() != bars.values.size())
    throw Error(subject + number(bars.values.size()) + " values but " + number(bars.errors.size()) +
                " errors");
  for (const double error : bars.errors)
    if (error < 0) throw Error(subject + "an error below 0: " + std::to_string(error));
}

void check(Scatter& scatter) {
  for (PlaneMap::Point& point : scatter.points) {
    if (scatter.groups.empty()) point.group = -1;
    if (point.group < -1 || point.group >= static_cast<std::int32_t>(scatter.groups.size()))
      throw Error("the scatter '" + scatter.name + "' has a point of group " +
                  std::to_string(point.group) + " but " + number(scatter.groups.size()) +
                  " groups");
  }
}

void check(HeatMap& map) {
  if (map.values.size() != map.rows.size() * map.columns.size())
    throw Error("the heat map '" + map.name + "' has " + number(map.rows.size()) + " rows and " +
                number(map.columns.size()) + " columns but " + number(map.values.size()) +
                " values");
}

/// A file begins with a signature and the header's length, name, width and height (PNG, section
/// 11).
void check(const Picture& picture) {
  constexpr std::string_view begin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  const std::string& png = picture.png;
  const std::string subject = "the picture '" + picture.name + "' ";
  if (!png.starts_with(begin) || png.size() < 33) throw Error(subject + "is not a PNG file");
  if (png.size() > Picture::most_bytes)
    throw Error(subject + "has " + number(png.size()) + " bytes; up to " +
                number(Picture::most_bytes) + " are shown");
  const auto side = [&](std::size_t place) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(png[place + i]);
    return value;
  };
  const std::size_t width = side(16), height = side(20);
  if (width == 0 || height == 0 || std::max(width, height) > Picture::most_side)
    throw Error(subject + "has " + number(width) + " x " + number(height) + " pixels; up to " +
                number(Picture::most_side) + " on a side are shown");
}

}  // namespace

const std::string& name_of(const Drawing& drawing) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, drawing);
}

Drawing checked_drawing(Drawing drawing) {
  std::visit([](auto& one) { check(one); }, drawing);
  return drawing;
}

}  // namespace semblance
