// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>

#include "registry/figures.hpp"
#include "report/page/page_data.hpp"
#include "report/page/study_methods.hpp"
#include "report/tables/slot_effects.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/test_notes.hpp"

namespace semblance::page {
namespace {

using Json = nlohmann::ordered_json;

/// The limit for the points of all curves together, so that the page of a large study stays small.
constexpr std::size_t most_points = 120000;
constexpr std::size_t fewest_points_of_curve = 60;

Json value_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* name(Holds holds) {
  constexpr std::array names = {"text", "metric", "number", "p", "flag"};
  return names[static_cast<std::size_t>(holds)];
}

Json layout_data(const TableLayout& layout) {
  Json columns = Json::array();
  for (const TableColumn& column : layout.columns) {
    Json cells = Json::array();
    for (const TableCell& cell : column.cells) {
      cells.push_back({cell.text, value_or_null(cell.value), cell.best});
      if (!cell.hint.empty()) cells.back().push_back(cell.hint);
    }
    columns.push_back({{"key", column.key},
                       {"heading", column.heading},
                       {"holds", name(column.holds)},
                       {"higher_is_better", column.higher_is_better},
                       {"cells", std::move(cells)}});
  }
  return {{"columns", std::move(columns)}, {"notes", layout.notes}};
}

Json method_data(const StudyMethods& methods, std::size_t i, std::size_t place) {
  const Standing& standing = methods.standing(i);
  const Method& method = methods.method(i);
  Json choices = Json::array(), errors = Json::array();
  for (std::size_t slot = 0; slot < methods.study().slots.size(); ++slot) {
    const auto choice = methods.choice(i, slot);
    choices.push_back(choice ? Json(*choice) : Json(nullptr));
  }
  for (std::size_t block = 0; block < method.measurements.size(); ++block)
    if (!method.measurements[block].error.empty())
      errors.push_back({block, method.measurements[block].error});
  return {{"name", methods.name(i)},
          {"choices", std::move(choices)},
          {"texts", method.choices},
          {"mean", number(standing.mean)},
          {"deviation", number(standing.deviation)},
          {"difference", number(standing.difference.value_or(NAN))},
          {"reach", number(standing.difference_reach.value_or(NAN))},
          {"n", standing.measured},
          {"rank", number(standing.average_rank.value_or(NAN))},
          {"place", place},
          {"best", standing.best},
          {"baseline", methods.is_baseline(i)},
          {"errors", std::move(errors)}};
}

Json methods_data(const StudyMethods& methods) {
  const std::vector<std::size_t> order = methods.by_quality();
  std::vector<std::size_t> places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  Json all = Json::array();
  for (std::size_t i = 0; i < methods.size(); ++i)
    all.push_back(method_data(methods, i, places[i]));
  return all;
}

/// Variants by method and repeat, then those that are of none.
Json variants_data(const StudyMethods& methods) {
  Json all = Json::array();
  std::vector<const VariantRecord*> placed;
  const auto add = [&](const VariantRecord& variant, const Json& method) {
    all.push_back({{"name", variant.name},
                   {"repeat", variant.repeat},
                   {"finished", variant.finished},
                   {"error", variant.error},
                   {"method", method}});
    placed.push_back(&variant);
  };
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (const VariantRecord* variant : methods.variants(i)) add(*variant, i);
  std::ranges::sort(placed);
  for (const VariantRecord& variant : methods.study().variants)
    if (!std::ranges::binary_search(placed, &variant)) add(variant, nullptr);
  return all;
}

/// The curves of one name and of the same axes at one node, in all variants that report one.
struct CurveSet {
  std::string node;
  std::span<const FigureInfo> figures;  ///< of the node
  std::vector<const Curve*> different;
  std::vector<std::vector<std::size_t>> methods;  ///< that have the curve, one list per curve
  std::vector<double> levels = {};                ///< lines across the chart, each once

  bool holds(const std::string& of_node, const Curve& curve) const {
    const Curve& first = *different.front();
    return node == of_node && first.name == curve.name && first.x_label == curve.x_label &&
           first.y_label == curve.y_label;
  }

  void add(const Curve& curve, std::size_t method, const std::vector<double>& levels_of_curve) {
    for (const double level : levels_of_curve)
      if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
    std::size_t i = 0;
    while (i < different.size() && (different[i]->y != curve.y || different[i]->x != curve.x)) ++i;
    if (i == different.size()) {
      different.push_back(&curve);
      methods.emplace_back();
    }
    if (std::ranges::find(methods[i], method) == methods[i].end()) methods[i].push_back(method);
  }
};

std::vector<CurveSet> curve_sets(const StudyMethods& methods) {
  std::vector<CurveSet> sets;
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (const VariantRecord* variant : methods.variants(i))
      for (const NodeRecord& node : variant->nodes)
        for (const Curve& curve : node.curves) {
          if (!has_points(curve) || is_level(curve, node.curves)) continue;
          auto set = std::ranges::find_if(
              sets, [&](const CurveSet& one) { return one.holds(node.name, curve); });
          if (set == sets.end())
            set = sets.insert(sets.end(), CurveSet{node.name, node.figures, {&curve}, {{}}});
          set->add(curve, i, levels_of(curve, node.curves));
        }
  return sets;
}

Json line_data(const Curve& curve, std::size_t most, const std::vector<std::size_t>& methods) {
  const Curve shown = thinned(curve, most);
  Json x = Json::array(), y = Json::array();
  for (std::size_t i = 0; i < shown.x.size(); ++i) {
    x.push_back(number(shown.x[i]));
    y.push_back(number(shown.y[i]));
  }
  return {{"x", std::move(x)}, {"y", std::move(y)}, {"methods", methods}};
}

Json set_data(const CurveSet& set, Json lines, bool mean) {
  const Curve& first = *set.different.front();
  return {{"node", set.node},
          {"name", first.name},
          {"x_label", first.x_label},
          {"y_label", first.y_label},
          {"x_unit", name(unit_of_column(set.figures, first.name, first.x_label))},
          {"y_unit", name(unit_of_column(set.figures, first.name, first.y_label))},
          {"levels", set.levels},
          {"mean", mean},
          {"lines", std::move(lines)}};
}

/// The means of DET curves over the repeats or folds, one line per method; empty where no method
/// has several curves.
Json mean_lines(const CurveSet& set, const StudyMethods& methods) {
  Json lines = Json::array();
  std::size_t most = 0;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::vector<const Curve*> curves;
    for (const VariantRecord* variant : methods.variants(m))
      for (const NodeRecord& node : variant->nodes)
        for (const Curve& curve : node.curves)
          if (set.holds(node.name, curve) && has_points(curve)) curves.push_back(&curve);
    most = std::max(most, curves.size());
    if (!curves.empty())
      lines.push_back(line_data(mean_det_curve(curves), most_points_of_curve, {m}));
  }
  return most < 2 ? Json::array() : lines;
}

bool is_det(const CurveSet& set) {
  const std::string& name = set.different.front()->name;
  const auto are_shares = [](const std::vector<double>& values) {
    return std::ranges::all_of(values,
                               [](double v) { return !std::isfinite(v) || (v >= 0 && v <= 1); });
  };
  return (name == "det" || name.starts_with("det_")) &&
         std::ranges::all_of(set.different, [&](const Curve* curve) {
           return are_shares(curve->x) && are_shares(curve->y);
         });
}

Json curves_data(const StudyMethods& methods) {
  const std::vector<CurveSet> sets = curve_sets(methods);
  std::size_t different = 0;
  for (const CurveSet& set : sets) different += set.different.size();
  const std::size_t of_each = std::clamp(most_points / std::max<std::size_t>(different, 1),
                                         fewest_points_of_curve, most_points_of_curve);
  Json all = Json::array();
  for (const CurveSet& set : sets) {
    if (is_det(set))
      if (Json lines = mean_lines(set, methods); !lines.empty())
        all.push_back(set_data(set, std::move(lines), true));
    Json lines = Json::array();
    for (std::size_t i = 0; i < set.different.size(); ++i)
      lines.push_back(line_data(*set.different[i], of_each, set.methods[i]));
    all.push_back(set_data(set, std::move(lines), false));
  }
  return all;
}

}  // namespace

Json study_data(const StudyRecord& study) {
  const StudyMethods methods(study);
  TableLayout table = table_layout(study.results, study.comparison);
  std::erase_if(table.columns, [](const TableColumn& column) { return column.heading.empty(); });
  Json slots = Json::array();
  for (const SlotRecord& slot : study.slots)
    slots.push_back({{"name", slot.name}, {"alternatives", slot.alternatives}});
  const auto baseline = study.results.baseline;
  return {{"metric", metric_words(study.results)},
          {"node", study.metric_node},
          {"unit", methods.numbers().unit()},
          {"share", methods.numbers().is_share()},
          {"higher_is_better", study.results.higher_is_better},
          {"slots", std::move(slots)},
          {"repeats", study.repeats},
          {"blocks", study.results.blocks},
          {"blocks_text", blocks_text(study.results)},
          {"over", study.results.over},
          {"nodes_before", study.nodes_before},
          {"nodes_after", study.nodes_after},
          {"baseline", baseline ? Json(*baseline) : Json(nullptr)},
          {"t_test", t_test_name(study.comparison)},
          {"critical_difference", number(study.comparison.critical_difference.value_or(NAN))},
          {"methods", methods_data(methods)},
          {"variants", variants_data(methods)},
          {"table", layout_data(table)},
          {"effects", layout_data(effects_layout(study.comparison.effects))},
          {"curves", curves_data(methods)}};
}

}  // namespace semblance::page
