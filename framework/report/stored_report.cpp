// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/drawings/drawn_explanations.hpp"
#include "report/metrics.hpp"
#include "semblance/error.hpp"
#include "support/base64.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

Json numbers_to_json(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number_to_json(value));
  return array;
}

std::vector<double> numbers_from_json(const Json& stored) {
  std::vector<double> values;
  values.reserve(stored.size());
  for (const Json& item : stored.get_ref<const Json::array_t&>())
    values.push_back(number_from_json(item));
  return values;
}

void add_metric(Report& report, const std::string& name, const Json& value) {
  if (value.is_object())
    report.number(name, number_from_json(value.at("number")));
  else if (value.is_number_float())
    report.number(name, value.get<double>());
  else if (value.is_number_integer())
    report.integer(name, integer_in<std::int64_t>(value));
  else
    report.text(name, value.get_ref<const std::string&>());
}

void add_curve(Report& report, const Json& stored) {
  report.curve({stored.at("name").get<std::string>(), stored.at("x_label").get<std::string>(),
                stored.at("y_label").get<std::string>(), numbers_from_json(stored.at("x")),
                numbers_from_json(stored.at("y"))});
}

void add_table(Report& report, const Json& stored) {
  report.table({stored.at("name").get<std::string>(), stored.at("row_label").get<std::string>(),
                stored.at("column_label").get<std::string>(),
                stored.at("rows").get<std::vector<std::string>>(),
                stored.at("columns").get<std::vector<std::string>>(),
                numbers_from_json(stored.at("values"))});
}

Json circles_to_json(const std::vector<PlaneMap::Circle>& circles) {
  Json all = Json::array();
  for (const PlaneMap::Circle& circle : circles)
    all.push_back({number_to_json(circle.x), number_to_json(circle.y), circle.meaning});
  return all;
}

Json plane_map_to_json(const PlaneMap& map) {
  std::vector<double> coordinates;
  std::vector<std::int32_t> groups;
  std::vector<std::int32_t> marked;
  for (const PlaneMap::Point& point : map.points) {
    coordinates.insert(coordinates.end(), {point.x, point.y});
    groups.push_back(point.group);
    marked.push_back(point.marked);
  }
  return {{"name", map.name},
          {"x_label", map.x_label},
          {"y_label", map.y_label},
          {"groups", map.groups},
          {"range", numbers_to_json({map.x_low, map.x_high, map.y_low, map.y_high})},
          {"columns", map.columns},
          {"rows", map.rows},
          {"regions", map.regions},
          {"points", numbers_to_json(coordinates)},
          {"point_groups", groups},
          {"marked", marked},
          {"marked_label", map.marked_label},
          {"circles", circles_to_json(map.circles)},
          {"circle_labels", map.circle_labels}};
}

/// Reports of older versions have none.
void add_circles(PlaneMap& map, const Json& stored) {
  if (!stored.contains("circles")) return;
  map.circle_labels = stored.at("circle_labels").get<std::vector<std::string>>();
  for (const Json& circle : stored.at("circles").get_ref<const Json::array_t&>())
    map.circles.push_back({number_from_json(circle.at(0)), number_from_json(circle.at(1)),
                           integer_in<std::size_t>(circle.at(2))});
}

void add_plane_map(Report& report, const Json& stored) {
  const auto range = numbers_from_json(stored.at("range"));
  const auto coordinates = numbers_from_json(stored.at("points"));
  const auto groups = integers_in<std::int32_t>(stored.at("point_groups"));
  const auto marked = integers_in<std::int32_t>(stored.at("marked"));
  if (range.size() != 4 || coordinates.size() != 2 * groups.size() ||
      marked.size() != groups.size())
    throw Error("a plane map has parts of different sizes");
  PlaneMap map{stored.at("name").get<std::string>(),
               stored.at("x_label").get<std::string>(),
               stored.at("y_label").get<std::string>(),
               stored.at("groups").get<std::vector<std::string>>(),
               range[0],
               range[1],
               range[2],
               range[3],
               integer_in<std::size_t>(stored.at("columns")),
               integer_in<std::size_t>(stored.at("rows")),
               integers_in<std::int32_t>(stored.at("regions")),
               {},
               stored.at("marked_label").get<std::string>()};
  for (std::size_t i = 0; i < groups.size(); ++i)
    map.points.push_back({coordinates[2 * i], coordinates[2 * i + 1], groups[i], marked[i] != 0});
  add_circles(map, stored);
  report.plane_map(map);
}

Json points_to_json(const std::vector<PlaneMap::Point>& points) {
  Json all = Json::array();
  for (const PlaneMap::Point& p : points)
    all.push_back({number_to_json(p.x), number_to_json(p.y), p.group, p.marked});
  return all;
}

std::vector<PlaneMap::Point> points_from_json(const Json& stored) {
  std::vector<PlaneMap::Point> points;
  for (const Json& p : stored.get_ref<const Json::array_t&>())
    points.push_back({number_from_json(p.at(0)), number_from_json(p.at(1)),
                      integer_in<std::int32_t>(p.at(2)), p.at(3).get<bool>()});
  return points;
}

Json drawing_to_json(const Bars& bars) {
  return {{"kind", "bars"},
          {"name", bars.name},
          {"value_label", bars.value_label},
          {"labels", bars.labels},
          {"values", numbers_to_json(bars.values)},
          {"errors", numbers_to_json(bars.errors)},
          {"caption", bars.caption}};
}

Json drawing_to_json(const Scatter& scatter) {
  return {{"kind", "scatter"},
          {"name", scatter.name},
          {"x_label", scatter.x_label},
          {"y_label", scatter.y_label},
          {"groups", scatter.groups},
          {"points", points_to_json(scatter.points)},
          {"marked_label", scatter.marked_label},
          {"caption", scatter.caption}};
}

Json drawing_to_json(const HeatMap& map) {
  return {{"kind", "heat_map"},
          {"name", map.name},
          {"row_label", map.row_label},
          {"column_label", map.column_label},
          {"rows", map.rows},
          {"columns", map.columns},
          {"values", numbers_to_json(map.values)},
          {"caption", map.caption}};
}

Json drawing_to_json(const Picture& picture) {
  return {{"kind", "png"},
          {"name", picture.name},
          {"png", base64(picture.png)},
          {"caption", picture.caption}};
}

Drawing drawing_from_json(const Json& stored) {
  const auto text = [&](const char* key) { return stored.at(key).get<std::string>(); };
  const auto texts = [&](const char* key) {
    return stored.at(key).get<std::vector<std::string>>();
  };
  const auto numbers = [&](const char* key) { return numbers_from_json(stored.at(key)); };
  const std::string kind = text("kind");
  if (kind == "bars")
    return Bars{text("name"),      text("value_label"), texts("labels"),
                numbers("values"), numbers("errors"),   text("caption")};
  if (kind == "scatter")
    return Scatter{text("name"),
                   text("x_label"),
                   text("y_label"),
                   texts("groups"),
                   points_from_json(stored.at("points")),
                   text("marked_label"),
                   text("caption")};
  if (kind == "heat_map")
    return HeatMap{text("name"),     text("row_label"), text("column_label"), texts("rows"),
                   texts("columns"), numbers("values"), text("caption")};
  if (kind == "png") return Picture{text("name"), from_base64(text("png")), text("caption")};
  throw Error("there is no drawing '" + kind + "'");
}

void add_list(const Json& list, std::vector<Json>& lists) {
  list.at("name").get_ref<const std::string&>();
  list.at("entries").get_ref<const Json::array_t&>();
  lists.push_back(list);
}

}  // namespace

nlohmann::ordered_json measured_json(const Measured& measured) {
  return {
      {"date", measured.date}, {"threads", measured.threads}, {"processor", measured.processor}};
}

Measured measured_from_json(const nlohmann::ordered_json& stored) {
  return {stored.at("date").get<std::string>(), integer_in<std::size_t>(stored.at("threads")),
          stored.at("processor").get<std::string>()};
}

std::string measured_text(const Measured& measured) {
  std::string date = measured.date;
  // 2026-11-22T08:15:30Z
  if (date.size() == 20) date = date.substr(0, 10) + " " + date.substr(11, 5) + " UTC";
  return fmt::format("{} with {} thread{}", date, measured.threads,
                     measured.threads == 1 ? "" : "s");
}

nlohmann::ordered_json report_to_json(const NodeRecord& node) {
  Json metrics = Json::object();
  for (const auto& [name, value] : node.metrics.items()) {
    const bool odd = value.is_number_float() && !std::isfinite(value.get<double>());
    metrics[name] = odd ? Json{{"number", number_to_json(value.get<double>())}} : value;
  }
  Json curves = Json::array();
  for (const Curve& curve : node.curves)
    curves.push_back({{"name", curve.name},
                      {"x_label", curve.x_label},
                      {"y_label", curve.y_label},
                      {"x", numbers_to_json(curve.x)},
                      {"y", numbers_to_json(curve.y)}});
  Json tables = Json::array();
  for (const Table& table : node.tables)
    tables.push_back({{"name", table.name},
                      {"row_label", table.row_label},
                      {"column_label", table.column_label},
                      {"rows", table.rows},
                      {"columns", table.columns},
                      {"values", numbers_to_json(table.values)}});
  Json plane_maps = Json::array();
  for (const PlaneMap& map : node.plane_maps) plane_maps.push_back(plane_map_to_json(map));
  Json stored = {{"metrics", std::move(metrics)},
                 {"curves", std::move(curves)},
                 {"tables", std::move(tables)},
                 {"plane_maps", std::move(plane_maps)}};
  if (!node.sample_lists.empty()) stored["sample_lists"] = node.sample_lists;
  for (const Drawing& drawing : node.drawings)
    stored["drawings"].push_back(
        std::visit([](const auto& one) { return drawing_to_json(one); }, drawing));
  if (!node.explanations.empty()) stored["explanations"] = node.explanations;
  return stored;
}

void replay(const nlohmann::ordered_json& stored, Report& report) {
  for (const auto& [name, value] : stored.at("metrics").get_ref<const Json::object_t&>())
    add_metric(report, name, value);
  for (const Json& curve : stored.at("curves").get_ref<const Json::array_t&>())
    add_curve(report, curve);
  for (const Json& table : stored.at("tables").get_ref<const Json::array_t&>())
    add_table(report, table);
  for (const Json& map : stored.at("plane_maps").get_ref<const Json::array_t&>())
    add_plane_map(report, map);
  if (stored.contains("drawings"))  // older stored reports have none
    for (const Json& drawing : stored["drawings"].get_ref<const Json::array_t&>())
      report.draw(drawing_from_json(drawing));
}

void report_from_json(const nlohmann::ordered_json& stored, NodeRecord& node) {
  NodeRecord restored;
  // Checked when it was reported: a model may be older than its plugin and its figures.
  restored.figures = {{.name = "*", .documentation = {}}};
  RecordingReport report(restored);
  try {
    replay(stored, report);
    // Only where there are any: older stored reports have neither.
    if (stored.contains("sample_lists"))
      for (const Json& list : stored["sample_lists"].get_ref<const Json::array_t&>())
        add_list(list, restored.sample_lists);
    if (stored.contains("explanations"))
      for (const Json& list : stored["explanations"].get_ref<const Json::array_t&>()) {
        add_list(list, restored.explanations);
        explanations_json(list);  // throws if it is damaged
      }
  } catch (const std::exception& problem) {
    throw Error(fmt::format("the stored report of a node is damaged: {}", json_problem(problem)));
  }
  node.metrics = std::move(restored.metrics);
  node.curves = std::move(restored.curves);
  node.tables = std::move(restored.tables);
  node.plane_maps = std::move(restored.plane_maps);
  node.sample_lists = std::move(restored.sample_lists);
  node.drawings = std::move(restored.drawings);
  node.explanations = std::move(restored.explanations);
}

}  // namespace semblance
