// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawings/drawn_explanations.hpp"
#include "report/drawings/drawn_sample.hpp"
#include "semblance/error.hpp"
#include "support/base64.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Counts are written as integers, so that arrays of whole numbers have no ".0".
bool is_whole(double value) {
  constexpr double exact_below = 9007199254740992.0;  // 2^53
  return std::abs(value) < exact_below && value == std::trunc(value);
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json number_array(const double* first, std::size_t count, bool whole) {
  Json array = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    array.push_back(whole ? Json(static_cast<std::int64_t>(first[i])) : finite_or_null(first[i]));
  return array;
}

Json number_array(const std::vector<double>& values) {
  return number_array(values.data(), values.size(), std::ranges::all_of(values, is_whole));
}

Json table_json(const Table& table) {
  const bool whole = std::ranges::all_of(table.values, is_whole);
  const std::size_t columns = table.columns.size();
  Json values = Json::array();
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(number_array(table.values.data() + row * columns, columns, whole));
  return {{"rows", table.rows}, {"columns", table.columns}, {"values", std::move(values)}};
}

Json drawing_json(const Bars& bars) {
  return {{"labels", bars.labels},
          {"values", number_array(bars.values)},
          {"errors", number_array(bars.errors)}};
}

Json drawing_json(const Scatter& scatter) {
  std::vector<double> x, y;
  Json groups = Json::array();
  for (const PlaneMap::Point& point : scatter.points) {
    x.push_back(point.x);
    y.push_back(point.y);
    groups.push_back(point.group < 0 ? Json(nullptr)
                                     : Json(scatter.groups[static_cast<std::size_t>(point.group)]));
  }
  return {{"x", number_array(x)}, {"y", number_array(y)}, {"group", std::move(groups)}};
}

Json drawing_json(const HeatMap& map) {
  return table_json({map.name, map.row_label, map.column_label, map.rows, map.columns, map.values});
}

Json drawing_json(const Picture& picture) { return {{"png", base64(picture.png)}}; }

Json node_json(const NodeRecord& node) {
  Json json = {{"component", node.component},
               {"seconds", finite_or_null(node.seconds)},
               {"cached", node.cached}};
  if (node.measured) json["measured"] = measured_json(*node.measured);
  for (const auto& [name, value] : node.metrics.items())
    json[name] = value.is_number_float() ? finite_or_null(value.get<double>()) : value;
  for (const Curve& curve : node.curves)
    json[curve.name] = {{"x", number_array(curve.x)}, {"y", number_array(curve.y)}};
  for (const Table& table : node.tables) json[table.name] = table_json(table);
  for (const Drawing& drawing : node.drawings)
    json[name_of(drawing)] = std::visit([](const auto& one) { return drawing_json(one); }, drawing);
  for (const Json& list : node.explanations)
    json[list.at("name").get<std::string>()] = explanations_json(list);
  return json;
}

Json rows_json(const RowsRecord& rows) {
  Json json = {{"train", rows.train},
               {"test", rows.test},
               {"tested", rows.tested},
               {"drawn_from", rows.drawn_from}};
  if (!rows.groups.empty()) json["groups"] = rows.groups;
  return json;
}

/// The meaning of the numbers that nodes reported, by component.
Json figures_json(const RunRecord& run) {
  Json json = Json::object();
  for (const NodeRecord& node : run.nodes)
    for (const auto& [figure, value] : node.metrics.items()) {
      if (!value.is_number()) continue;
      const FigureInfo info = node.figure(figure);
      json[node.component][figure] = {{"unit", name(info.unit)}, {"better", name(info.better)}};
      if (info.headline) json[node.component][figure]["headline"] = true;
    }
  return json;
}

std::string one_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool fits_a_line(const Json& value) {
  return !value.is_structured() || value.empty() ||
         (value.is_array() &&
          std::ranges::none_of(value, [](const Json& item) { return item.is_structured(); }));
}

void print(const Json& value, std::size_t depth, std::string& out) {
  if (fits_a_line(value)) {
    out += one_line(value);
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  const bool array = value.is_array();
  out += array ? '[' : '{';
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    out += first ? "\n" : ",\n";
    out += indent;
    if (!array) out += one_line(key) + ": ";
    print(item, depth + 1, out);
    first = false;
  }
  out += '\n' + std::string(2 * depth, ' ') + (array ? ']' : '}');
}

}  // namespace

void RecordingReport::number(std::string_view name, double value) {
  if (std::isnan(value))
    throw Error(
        fmt::format("the figure '{}' is not a number (NaN): what does not exist must not be "
                    "reported; this is a mistake in {}",
                    name, record_.component));
  record_.metrics[figure_name(name)] = value;
}

void RecordingReport::integer(std::string_view name, std::int64_t value) {
  record_.metrics[figure_name(name)] = value;
}

void RecordingReport::text(std::string_view name, std::string_view value) {
  record_.metrics[scalar_name(name)] = std::string(value);
}

void RecordingReport::curve(const Curve& curve) {
  check_name(curve.name);
  if (curve.x.size() != curve.y.size())
    throw Error(fmt::format("the curve '{}' has {} values of x but {} of y", curve.name,
                            curve.x.size(), curve.y.size()));
  record_.curves.push_back(curve);
}

void RecordingReport::table(const Table& table) {
  check_name(table.name);
  if (table.values.size() != table.rows.size() * table.columns.size())
    throw Error(fmt::format("the table '{}' has {} rows and {} columns but {} values", table.name,
                            table.rows.size(), table.columns.size(), table.values.size()));
  record_.tables.push_back(table);
}

void RecordingReport::plane_map(const PlaneMap& map) {
  check_name(map.name);
  const auto unknown = [&](std::int32_t group, std::int32_t least) {
    return group < least || group >= static_cast<std::int32_t>(map.groups.size());
  };
  if (map.columns < 2 || map.rows < 2 || map.regions.size() != map.rows * map.columns)
    throw Error(fmt::format("the plane map '{}' has {} rows and {} columns but {} regions",
                            map.name, map.rows, map.columns, map.regions.size()));
  if (std::ranges::any_of(map.regions, [&](auto group) { return unknown(group, 0); }) ||
      std::ranges::any_of(map.points, [&](const auto& p) { return unknown(p.group, -1); }))
    throw Error(fmt::format("the plane map '{}' has a region or point outside its {} groups",
                            map.name, map.groups.size()));
  if (std::ranges::any_of(map.circles, [&](const auto& circle) {
        return circle.meaning >= map.circle_labels.size();
      }))
    throw Error(fmt::format("the plane map '{}' has a circle without a label", map.name));
  record_.plane_maps.push_back(map);
}

void RecordingReport::sample_list(const SampleList& list) {
  check_name(list.name);
  record_.sample_lists.push_back(drawn_list(list));
}

void RecordingReport::draw(const Drawing& drawing) {
  check_name(name_of(drawing));
  record_.drawings.push_back(checked_drawing(drawing));
}

void RecordingReport::explained_samples(const ExplainedSamples& samples) {
  check_name(samples.name);
  record_.explanations.push_back(drawn_explanations(samples));
}

void RecordingReport::check_name(std::string_view name) const {
  if (name.empty()) throw Error("a reported value needs a name");
  if (name == "component" || name == "seconds" || name == "cached" || name == "measured")
    throw Error(fmt::format(
        "'{}' cannot be reported: metrics.json uses that name for the node itself", name));
  const auto same = [&](const auto& item) { return item.name == name; };
  const auto same_list = [&](const Json& list) { return list.at("name") == name; };
  if (record_.metrics.contains(name) || std::ranges::any_of(record_.curves, same) ||
      std::ranges::any_of(record_.tables, same) || std::ranges::any_of(record_.plane_maps, same) ||
      std::ranges::any_of(record_.sample_lists, same_list) ||
      std::ranges::any_of(record_.explanations, same_list) ||
      std::ranges::find(record_.drawings, name, name_of) != record_.drawings.end())
    throw Error(fmt::format("'{}' is reported twice", name));
}

std::string RecordingReport::scalar_name(std::string_view name) const {
  check_name(name);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!std::ranges::all_of(name, allowed))
    throw Error(fmt::format(
        "'{}' is not a valid name for a metric: use lower-case letters, digits and underscores",
        name));
  return std::string(name);
}

std::string RecordingReport::figure_name(std::string_view name) const {
  std::string checked = scalar_name(name);
  const std::string problem = undeclared_figure(record_.component, record_.figures, name);
  if (!problem.empty()) throw Error(problem);
  return checked;
}

nlohmann::ordered_json nodes_json(const RunRecord& run) {
  Json nodes = Json::object();
  for (const NodeRecord& node : run.nodes) nodes[node.name] = node_json(node);
  return nodes;
}

nlohmann::ordered_json metrics_json(const RunRecord& run) {
  Json rows = Json::object();
  for (const NodeRecord& node : run.nodes)
    if (node.rows) rows[node.name] = rows_json(*node.rows);
  Json json = {{"pipeline", run.pipeline}, {"seed", run.seed}, {"nodes", nodes_json(run)}};
  if (!run.stopped_by.empty()) json["stopped_by"] = run.stopped_by;
  if (!rows.empty()) json["rows"] = std::move(rows);
  json["figures"] = figures_json(run);
  if (run.selection) json["selection"] = selection_json(*run.selection);
  json["threads"] = run.threads;
  if (!run.device.empty()) json["device"] = run.device;
  for (const RankRecord& rank : run.ranks)
    json["ranks"].push_back({{"place", rank.place},
                             {"sent_bytes", rank.sent_bytes},
                             {"peak_memory_bytes", rank.peak_memory_bytes}});
  json["peak_memory_bytes"] = run.peak_memory_bytes;
  json["wall_seconds"] = finite_or_null(run.wall_seconds);
  return json;
}

std::string readable_json(const nlohmann::ordered_json& value) {
  std::string out;
  print(value, 0, out);
  return out += '\n';
}

void write_metrics(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, readable_json(metrics_json(run)));
}

}  // namespace semblance
