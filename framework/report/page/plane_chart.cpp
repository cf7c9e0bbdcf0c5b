// SPDX-License-Identifier: MIT
#include "report/page/plane_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// A picture longer than this has a separate scale for each axis.
constexpr double longest_side = 4;

bool can_be_drawn(const PlaneMap& map) {
  const double width = map.x_high - map.x_low, height = map.y_high - map.y_low;
  return std::isfinite(width) && std::isfinite(height) && width > 0 && height > 0;
}

bool has_equal_scales(const PlaneMap& map) {
  const double ratio = (map.y_high - map.y_low) / (map.x_high - map.x_low);
  return ratio <= longest_side && ratio >= 1 / longest_side;
}

Json runs(const std::vector<std::int32_t>& regions) {
  Json out = Json::array();
  for (std::size_t first = 0; first < regions.size();) {
    std::size_t end = first + 1;
    while (end < regions.size() && regions[end] == regions[first]) ++end;
    out.push_back(end - first);
    out.push_back(regions[first]);
    first = end;
  }
  return out;
}

/// At most `most` of the points. Groups may alternate, so taking every second point would not work:
/// the fractional parts of the multiples of the golden ratio are evenly spread in any order.
Json points(const PlaneMap& map, std::size_t most) {
  const double share = static_cast<double>(most) / static_cast<double>(map.points.size());
  Json out = Json::array();
  double place = 0;
  for (const PlaneMap::Point& p : map.points) {
    place = std::fmod(place + 0.6180339887498949, 1);
    if (share < 1 && place >= share) continue;
    if (std::isfinite(p.x) && std::isfinite(p.y))
      out.push_back(
          Json::array({chart::number(p.x), chart::number(p.y), p.group, p.marked ? 1 : 0}));
  }
  return out;
}

std::string remark(const PlaneMap& map, std::size_t shown) {
  std::string text;
  if (!has_equal_scales(map)) text = "The axes have different scales.";
  if (shown < map.points.size())
    text += fmt::format("{}{} of {} points are shown.", text.empty() ? "" : " ",
                        count_text(static_cast<std::int64_t>(shown)),
                        count_text(static_cast<std::int64_t>(map.points.size())));
  return text;
}

}  // namespace

Json plane_data(const PlaneMap& map, std::size_t most) {
  Json shown = points(map, most);
  Json data = {{"kind", "plane"},
               {"x", words(map.x_label)},
               {"y", words(map.y_label)},
               {"groups", map.groups},
               {"range", Json::array()},
               {"equal", has_equal_scales(map)},
               {"columns", map.columns},
               {"rows", map.rows},
               {"regions", runs(map.regions)},
               {"marked", words(map.marked_label)},
               {"remark", remark(map, shown.size())}};
  Json circles = Json::array();
  for (const PlaneMap::Circle& circle : map.circles)
    if (std::isfinite(circle.x) && std::isfinite(circle.y))
      circles.push_back(
          Json::array({chart::number(circle.x), chart::number(circle.y), circle.meaning}));
  data["circles"] = std::move(circles);
  data["circle_labels"] = map.circle_labels;
  for (const double end : {map.x_low, map.x_high, map.y_low, map.y_high})
    data["range"].push_back(chart::number(end));
  data["points"] = std::move(shown);
  return data;
}

std::string plane_chart_html(const PlaneMap& map, const std::string& node,
                             const std::string& caption) {
  const std::string title = words(map.name);
  if (!can_be_drawn(map))
    return fmt::format(
        "<figure><h4>{}</h4><p class=\"note\">Its axes are not finite, so it cannot be drawn.</p>"
        "</figure>",
        html::escaped(title));
  return chart::figure_html({"plane", node + " " + title, title, caption}, plane_data(map));
}

}  // namespace semblance
