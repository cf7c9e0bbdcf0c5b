// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/report.hpp"
#include "svg_picture.hpp"

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

void check(SvgPicture& picture) {
  try {
    picture.svg = svg::cleaned(picture.svg);
  } catch (const Error& problem) {
    throw Error("the picture '" + picture.name + "' is refused: " + problem.what());
  }
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
