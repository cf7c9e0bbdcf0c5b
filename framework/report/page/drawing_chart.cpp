// SPDX-License-Identifier: MIT
#include "report/page/drawing_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "registry/figures.hpp"
#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "report/page/plane_chart.hpp"
#include "support/base64.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// To four significant digits: more than a colour shows.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::max(std::abs(value), 1e-300))));
  return std::isfinite(scale) ? chart::number(std::round(value * scale) / scale)
                              : chart::number(value);
}

bool all_differ(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

/// Whether there is room for a name beside each row and column, and a value in each cell.
bool has_room_for_names(const HeatMap& map) {
  return map.rows.size() <= 40 && map.columns.size() <= 24 && all_differ(map.rows) &&
         all_differ(map.columns);
}

std::string html_of(const HeatMap& map, const std::string& node,
                    std::span<const FigureInfo> figures) {
  Json values = Json::array();
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    values.push_back(Json::array());
    for (std::size_t j = 0; j < map.columns.size(); ++j)
      values.back().push_back(rounded(map.values[i * map.columns.size() + j]));
  }
  const char* kind = has_room_for_names(map) ? "heat" : "matrix";
  const std::string title = words(map.name);
  return chart::figure_html(
      {kind, node + " " + title, title, map.caption},
      {{"kind", kind},
       {"rows", map.rows},
       {"columns", map.columns},
       {"row_label", words(map.row_label)},
       {"column_label", words(map.column_label)},
       {"share", unit_of_column(figures, map.name, "value") == FigureUnit::share},
       {"values", std::move(values)}});
}

std::string html_of(const Bars& bars, const std::string& node,
                    std::span<const FigureInfo> figures) {
  const std::size_t shown = std::min(bars.labels.size(), most_bars);
  Json rows = Json::array();
  for (std::size_t i = 0; i < shown; ++i)
    rows.push_back(
        {{"name", bars.labels[i]},
         {"mean", chart::number(bars.values[i])},
         {"deviation", bars.errors.empty() ? Json(nullptr) : chart::number(bars.errors[i])}});
  std::string caption = bars.caption;
  if (shown < bars.labels.size())
    caption += fmt::format("{}The first {} of {} bars are shown; metrics.json has all of them.",
                           caption.empty() ? "" : " ", count_text(std::int64_t(shown)),
                           count_text(static_cast<std::int64_t>(bars.labels.size())));
  const std::string title = words(bars.name);
  return chart::figure_html(
      {"bars", node + " " + title, title, caption},
      {{"kind", "bars"},
       {"metric", words(bars.value_label)},
       {"share", unit_of_column(figures, bars.name, bars.value_label) == FigureUnit::share},
       {"rows", std::move(rows)}});
}

/// The ends of an axis: room around the points, even if all are at one place.
void set_ends(double& low, double& high, double range) {
  const double around = range > 0 ? 0.05 * range : 1;
  if (low > high) low = high = 0;  // no point is finite
  low -= around;
  high += around;
}

std::string html_of(const Scatter& scatter, const std::string& node, std::span<const FigureInfo>) {
  constexpr double none = std::numeric_limits<double>::infinity();
  PlaneMap map{scatter.name,
               scatter.x_label,
               scatter.y_label,
               scatter.groups,
               none,
               -none,
               none,
               -none,
               0,
               0,
               {},
               {},
               ""};
  map.points = scatter.points;
  map.marked_label = scatter.marked_label;
  for (const PlaneMap::Point& point : scatter.points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    map.x_low = std::min(map.x_low, point.x), map.x_high = std::max(map.x_high, point.x);
    map.y_low = std::min(map.y_low, point.y), map.y_high = std::max(map.y_high, point.y);
  }
  const double width = map.x_high - map.x_low, height = map.y_high - map.y_low;
  // The same room on both sides where both axes have one scale.
  const bool alike = std::max(width, height) <= 4 * std::min(width, height);
  set_ends(map.x_low, map.x_high, alike || width <= 0 ? std::max(width, height) : width);
  set_ends(map.y_low, map.y_high, alike || height <= 0 ? std::max(width, height) : height);
  return plane_chart_html(map, node, scatter.caption);
}

std::string html_of(const Picture& picture, const std::string& node, std::span<const FigureInfo>) {
  const std::string title = words(picture.name);
  std::string out =
      fmt::format(R"(<figure class="chart own"><h4>{}</h4><div class="picture">)"
                  R"(<img class="own" alt="{}" src="data:image/png;base64,{}"></div>)",
                  html::escaped(title), html::escaped(node + " " + title), base64(picture.png));
  if (!picture.caption.empty())
    out += fmt::format("<figcaption>{}</figcaption>", html::escaped(picture.caption));
  return out + "</figure>\n";
}

}  // namespace

bool is_drawn(const Drawing& drawing) {
  const auto* map = std::get_if<HeatMap>(&drawing);
  return !map || (map->rows.size() <= most_heat_rows && map->columns.size() <= most_heat_rows &&
                  !map->values.empty());
}

bool needs_script(const Drawing& drawing) {
  return is_drawn(drawing) && !std::holds_alternative<Picture>(drawing);
}

std::string drawing_html(const Drawing& drawing, const std::string& node,
                         std::span<const FigureInfo> figures) {
  return std::visit([&](const auto& one) { return html_of(one, node, figures); }, drawing);
}

}  // namespace semblance
