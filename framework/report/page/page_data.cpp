// SPDX-License-Identifier: MIT
#include "report/page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "registry/figures.hpp"
#include "report/drawings/reduced_sample.hpp"
#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "report/page/warning_kinds.hpp"
#include "semblance/error.hpp"
#include "statistics/summary.hpp"
#include "support/json_text.hpp"

namespace semblance::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_warnings_of_kind = 200;
constexpr int digits_of_colour = 4;  ///< more than a colour shows

/// Numbers with all their digits are twice as long.
void round_numbers(Json& json) {
  if (json.is_number_float())
    json = number(json.get<double>());
  else if (json.is_structured())
    for (Json& item : json) round_numbers(item);
}

/// The same of the drawn values of samples only: other numbers are written out, to fewer digits.
void round_samples(Json& json) {
  if (json.is_object() && json.contains("layout"))
    round_numbers(json["values"]);
  else if (json.is_structured())
    for (Json& item : json) round_samples(item);
}

/// At most `most_points_of_plane` of the points. Groups may alternate, so taking every second point
/// would not work: the fractional parts of the multiples of the golden ratio are evenly spread in
/// any order.
Json points_data(const std::vector<PlaneMap::Point>& points) {
  const double share =
      static_cast<double>(most_points_of_plane) / static_cast<double>(points.size());
  Json out = Json::array();
  double place = 0;
  for (const PlaneMap::Point& p : points) {
    place = std::fmod(place + 0.6180339887498949, 1);
    if (share < 1 && place >= share) continue;
    if (std::isfinite(p.x) && std::isfinite(p.y)) out.push_back({p.x, p.y, p.group, p.marked});
  }
  return out;
}

/// Regions as runs along the rows of the grid: length, group, length, group, …
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

Json plane_data(const PlaneMap& map, Json stored) {
  stored.erase("point_groups");
  stored.erase("marked");
  stored["regions"] = runs(map.regions);
  stored["points"] = points_data(map.points);
  stored["all_points"] = map.points.size();
  Json circles = Json::array();
  for (const Json& circle : stored["circles"])
    if (circle[0].is_number() && circle[1].is_number()) circles.push_back(circle);
  stored["circles"] = std::move(circles);
  return stored;
}

/// A node whose report fits a page.
NodeRecord thinned(NodeRecord node) {
  for (Curve& curve : node.curves) curve = page::thinned(curve);
  for (Table& table : node.tables) {
    const std::size_t columns = std::max<std::size_t>(table.columns.size(), 1);
    table.rows.resize(std::min(table.rows.size(), most_values_of_table / columns));
    table.values.resize(table.rows.size() * table.columns.size());
  }
  return node;
}

/// The confidence intervals of shares of the test samples: the accuracy or the error rate, where
/// the number of errors and of samples are known. Samples of one group say nothing of others.
Json intervals_data(const NodeRecord& node) {
  const auto count = [&](const char* of) {
    const auto found = node.metrics.find(of);
    return found != node.metrics.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                                     : std::int64_t{-1};
  };
  const std::int64_t errors = count("errors"), rows = count("rows"), groups = count("groups");
  Json intervals = Json::object();
  if (errors < 0 || rows < 1 || errors > rows || groups == 0 || groups == 1) return intervals;
  const auto add = [&](const char* figure, std::int64_t part) {
    const statistics::Interval interval =
        statistics::wilson_interval(static_cast<std::size_t>(part), static_cast<std::size_t>(rows),
                                    static_cast<std::size_t>(std::max<std::int64_t>(groups, 0)),
                                    node.metrics.value("standard_error", 0.0));
    intervals[figure] = {{"low", interval.low}, {"high", interval.high}, {"rows", rows}};
    if (groups > 0) intervals[figure]["groups"] = groups;
  };
  add("accuracy", rows - errors);
  add("error_rate", errors);
  return intervals;
}

/// Adds the units of columns, by the node's figures, to what is stored of its report.
void add_units(const NodeRecord& node, Json& stored) {
  const auto unit = [&](const std::string& owner, const std::string& column) {
    return name(unit_of_column(node.figures, owner, column));
  };
  stored["units"] = Json::object();
  for (auto& [figure, value] : stored["metrics"].items()) {
    stored["units"][figure] = name(node.figure(figure).unit);
    if (value.is_object()) value = value["number"];
  }
  for (std::size_t i = 0; i < node.tables.size(); ++i) {
    stored["tables"][i]["all"] = node.tables[i].rows.size();
    for (const std::string& column : node.tables[i].columns)
      stored["tables"][i]["units"].push_back(unit(node.tables[i].name, column));
  }
  for (std::size_t i = 0; i < node.curves.size(); ++i) {
    const Curve& curve = node.curves[i];
    stored["curves"][i]["x_unit"] = unit(curve.name, curve.x_label);
    stored["curves"][i]["y_unit"] = unit(curve.name, curve.y_label);
  }
  for (std::size_t i = 0; i < node.drawings.size(); ++i) {
    Json& drawing = stored["drawings"][i];
    if (const auto* bars = std::get_if<Bars>(&node.drawings[i]))
      drawing["unit"] = unit(bars->name, bars->value_label);
    if (const auto* map = std::get_if<HeatMap>(&node.drawings[i])) {
      drawing["unit"] = unit(map->name, "value");
      for (Json& value : drawing["values"])
        if (value.is_number()) value = number(value.get<double>(), digits_of_colour);
    }
    if (const auto* scatter = std::get_if<Scatter>(&node.drawings[i])) {
      drawing["points"] = points_data(scatter->points);
      drawing["all_points"] = scatter->points.size();
    }
  }
}

/// What the tree of times shows of a node.
Json time_data(const NodeRecord& node) {
  return {{"name", node.name},
          {"component", node.component},
          {"seconds", number(node.seconds)},
          {"bytes", node.bytes},
          {"cached", node.cached}};
}

void describe(const NodeRecord& node, Json& data) {
  data["summary"] = node.summary;
  data["parameters"] = node.parameters;
  if (node.measured) data["measured"] = measured_json(*node.measured);
}

/// The times of a study's nodes. Those that were one node before its variants were merged
/// ("svm[10,seed=1]", "svm[10,seed=2]") are summed, and the first describes them.
Json times_data(const std::vector<NodeRecord>& nodes) {
  Json all = Json::array();
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const NodeRecord& node : nodes) {
    const auto [place, added] = places.emplace(
        std::pair(node.name.substr(0, node.name.find('[')), node.component), all.size());
    const double seconds = std::isfinite(node.seconds) ? std::max(node.seconds, 0.0) : 0;
    if (added) {
      all.push_back(time_data(node));
      describe(node, all.back());
      all.back().update({{"count", 1}, {"slowest", {{"name", node.name}, {"seconds", seconds}}}});
      all.back()["seconds"] = seconds;
      all.back()["cached"] = node.cached ? 1 : 0;
      continue;
    }
    Json& sum = all[place->second];
    sum["count"] = sum["count"].get<std::size_t>() + 1;
    sum["seconds"] = sum["seconds"].get<double>() + seconds;
    sum["bytes"] = sum["bytes"].get<std::size_t>() + node.bytes;
    sum["cached"] = sum["cached"].get<std::size_t>() + (node.cached ? 1 : 0);
    if (seconds > sum["slowest"]["seconds"].get<double>())
      sum["slowest"] = {{"name", node.name}, {"seconds", seconds}};
  }
  return all;
}

Json node_data(const NodeRecord& node) {
  Json data = time_data(node);
  describe(node, data);
  data.update({{"headline", headline_figures(node)},
               {"intervals", intervals_data(node)},
               {"samples", node.samples},
               {"sample_lists", Json::array()},
               {"drawings", Json::array()},
               {"explanations", Json::array()}});
  data.update(report_to_json(thinned(node)));
  add_units(node, data);
  for (std::size_t i = 0; i < node.plane_maps.size(); ++i)
    data["plane_maps"][i] = plane_data(node.plane_maps[i], data["plane_maps"][i]);
  for (const char* part : {"curves", "plane_maps", "drawings"}) round_numbers(data[part]);
  for (const char* part : {"samples", "sample_lists", "explanations"}) round_samples(data[part]);
  for (Json& list : data["explanations"])
    list["pixel"] = reduced_by(list["height"].get<std::size_t>(), list["width"].get<std::size_t>());
  return data;
}

/// The warnings by kind, how many there are of each, and the first of them.
Json warnings_data(const std::vector<std::string>& warnings) {
  Json kinds = Json::array();
  for (std::vector<std::string>& kind : warning_kinds(warnings)) {
    const std::size_t count = kind.size();
    kind.resize(std::min(count, most_warnings_of_kind));
    kinds.push_back({{"count", count}, {"texts", std::move(kind)}});
  }
  return kinds;
}

/// The picture without what belongs to a separate file (<?xml …>, <!DOCTYPE …>).
std::string graph_data(const RunRecord& run) {
  if (run.graph_svg.empty()) return "";
  const std::size_t start = run.graph_svg.find("<svg");
  if (start == std::string::npos) throw Error("the graph for the report is not an SVG picture");
  return run.graph_svg.substr(start);
}

}  // namespace

Json number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

Json selection_data(const SelectionRecord& choice) {
  Json trials = Json::array();
  for (const TrialRecord& trial : choice.trials) {
    Json folds = Json::array();
    for (const double fold : trial.folds) folds.push_back(number_to_json(fold));
    trials.push_back({{"values", trial.values},
                      {"folds", std::move(folds)},
                      {"mean", number_to_json(trial.mean)},
                      {"deviation", number_to_json(trial.deviation)},
                      {"error", number_to_json(trial.error)},
                      {"failure", trial.failure},
                      {"dropped", trial.dropped}});
    if (trial.pooled) trials.back()["pooled"] = number_to_json(*trial.pooled);
  }
  return {{"metric", choice.metric},
          {"unit", name(choice.unit)},
          {"higher_is_better", choice.higher_is_better},
          {"folds", choice.folds},
          {"leave_one_out", choice.leave_one_out},
          {"repeats", choice.repeats},
          {"within", choice.within},
          {"parameters", choice.parameters},
          {"chosen", choice.chosen},
          {"trials", std::move(trials)},
          {"remark", choice.repeats.empty() ? "" : edge_remark(choice)}};
}

Json run_data(const RunRecord& run, std::string_view kind) {
  Json nodes = kind == "study" ? times_data(run.nodes) : Json::array();
  if (kind != "study")
    for (const NodeRecord& node : run.nodes) nodes.push_back(node_data(node));
  Json data = {{"kind", kind},
               {"pipeline", run.pipeline},
               {"description", run.description},
               {"command", run.command},
               {"version", run.version},
               {"started", run.started},
               {"seed", run.seed},
               {"threads", run.threads},
               {"memory_budget", run.memory_budget},
               {"peak_memory_bytes", run.peak_memory_bytes},
               {"wall_seconds", number_to_json(run.wall_seconds)},
               {"choosing_seconds", number_to_json(run.choosing_seconds)},
               {"warnings", warnings_data(run.warnings)},
               {"nodes", std::move(nodes)},
               {"graph", graph_data(run)},
               {"files", Json::array()},
               {"plugins", Json::array()},
               {"resolved_pipeline", run.resolved_pipeline}};
  for (const auto& [name, checksum] : run.files) data["files"].push_back({name, checksum});
  for (const auto& [name, checksum] : run.plugins) data["plugins"].push_back({name, checksum});
  if (run.selection) data["selection"] = selection_data(*run.selection);
  return data;
}

}  // namespace semblance::page
