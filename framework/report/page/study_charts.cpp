// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/chart.hpp"
#include "report/page/curve_chart.hpp"
#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/study_sections.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/test_notes.hpp"
#include "support/figure_text.hpp"

namespace semblance::study_sections {
namespace {

using Json = nlohmann::ordered_json;

/// The limit for the points of all curves together, so that the page of a large study stays small.
constexpr std::size_t most_points = 120000;
constexpr std::size_t fewest_points_of_curve = 60;

Json slots_data(const StudyRecord& study) {
  Json slots = Json::array();
  for (const SlotRecord& slot : study.slots)
    slots.push_back({{"name", slot.name}, {"alternatives", slot.alternatives}});
  return slots;
}

Json method_data(const StudyMethods& methods, std::size_t i, std::size_t place) {
  const Standing& standing = methods.standing(i);
  Json choices = Json::array();
  for (std::size_t slot = 0; slot < methods.study().slots.size(); ++slot) {
    const auto choice = methods.choice(i, slot);
    choices.push_back(choice ? Json(*choice) : Json(nullptr));
  }
  return {{"name", methods.name(i)},
          {"choices", std::move(choices)},
          {"mean", chart::number(standing.mean)},
          {"deviation", chart::number(standing.deviation)},
          {"difference", chart::number(standing.difference.value_or(NAN))},
          {"reach", chart::number(standing.difference_reach.value_or(NAN))},
          {"n", standing.measured},
          {"rank", chart::number(standing.average_rank.value_or(NAN))},
          {"place", place},
          {"best", standing.best},
          {"baseline", methods.is_baseline(i)}};
}

/// The data from which page/study.js makes the charts.
std::string study_data(const StudyMethods& methods) {
  const StudyRecord& study = methods.study();
  Json data = {
      {"metric", metric_words(study.results)},
      {"share", methods.numbers().is_share()},
      {"higher_is_better", study.results.higher_is_better},
      {"slots", slots_data(study)},
      {"critical_difference", chart::number(study.comparison.critical_difference.value_or(NAN))},
      {"methods", Json::array()}};
  const std::vector<std::size_t> order = methods.by_quality();
  std::vector<std::size_t> places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  for (std::size_t i = 0; i < methods.size(); ++i)
    data["methods"].push_back(method_data(methods, i, places[i]));
  return R"(<div id="study">)" + chart::data_block(data) + "</div>";
}

bool has_long_slot(const StudyRecord& study) {
  constexpr std::size_t most_beside = 6;
  return std::ranges::any_of(
      study.slots, [](const SlotRecord& slot) { return slot.alternatives.size() > most_beside; });
}

std::string heat_map(const StudyMethods& methods) {
  const std::vector<std::size_t> varying = varying_slots(methods.study());
  if (varying.size() < 2) return "";
  const auto name = [&](std::size_t i) { return methods.study().slots[varying[i]].name; };
  const bool one_pair = varying.size() == 2;
  return chart::figure_html(
      {"study-heat", "heat map", one_pair ? name(0) + " × " + name(1) : "Pairs of slots",
       one_pair ? "The mean of each combination."
                : "The mean of each pair of choices, over the choices in the other slots."},
      nullptr);
}

/// Too many slots for a heat map to show how they go together.
std::string parallel_coordinates(const StudyMethods& methods) {
  if (varying_slots(methods.study()).size() <= 3) return "";
  return chart::figure_html(
      {"study-parallel", "parallel coordinates", "All combinations across the slots",
       "One line per combination through its choices, the best ones darkest; the last axis is the "
       "mean."},
      nullptr);
}

std::string slot_charts(const StudyMethods& methods) {
  std::string out;
  for (const std::size_t slot : varying_slots(methods.study())) {
    const std::vector<double> numbers = slot_numbers(methods.study().slots[slot]);
    if (numbers.empty()) continue;
    const std::string& name = methods.study().slots[slot].name;
    const std::string title =
        fmt::format("{} against {}", metric_words(methods.study().results), name);
    out += chart::figure_html(
        {"study-slot", title, title,
         methods.study().results.blocks.size() > 1 ? "Bars are one standard deviation." : ""},
        {{"slot", slot}, {"numbers", numbers}});
  }
  return out;
}

/// The differences to the baseline, where any has an interval.
std::string differences(const StudyMethods& methods) {
  const auto baseline = methods.study().results.baseline;
  bool any = false;
  for (std::size_t i = 0; i < methods.size(); ++i)
    any |= methods.standing(i).difference_reach.has_value();
  if (!any || !baseline) return "";
  return R"(<div class="tall">)" +
         chart::figure_html(
             {"study-differences", "differences", "Differences to the baseline",
              fmt::format("Mean paired differences to {}; bars are 95 % confidence intervals ({}), "
                          "each by itself, not corrected for their number.",
                          methods.name(*baseline), t_test_name(methods.study().comparison))},
             nullptr) +
         "</div>";
}

std::string rank_diagram(const StudyMethods& methods) {
  if (!methods.study().comparison.critical_difference) return "";
  return chart::figure_html(
      {"study-ranks", "critical difference", "Critical difference of the average ranks",
       "Average ranks over " + blocks_text(methods.study().results) +
           ", best on the left. Combinations under the same thick bar do not differ by more than "
           "the critical difference (Nemenyi, 5 %; Demsar 2006)."},
      nullptr);
}

/// The curves of one name and of the same axes at one node, in all variants that report one.
struct CurveSet {
  std::string node;
  std::span<const FigureInfo> figures;  ///< of the node
  std::vector<const Curve*> different;
  std::vector<std::vector<std::size_t>> methods;  ///< that have the curve, one list per curve
  std::vector<double> levels = {};                ///< lines across the chart, each once

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
          const auto same = [&](const CurveSet& set) {
            const Curve& first = *set.different.front();
            return set.node == node.name && first.name == curve.name &&
                   first.x_label == curve.x_label && first.y_label == curve.y_label;
          };
          auto set = std::ranges::find_if(sets, same);
          if (set == sets.end())
            set = sets.insert(sets.end(), CurveSet{node.name, node.figures, {}, {}});
          set->add(curve, i, levels_of(curve, node.curves));
        }
  return sets;
}

std::string curve_set_html(const CurveSet& set, std::size_t most_points_of_each) {
  const std::string title = words(set.different.front()->name);
  Json data = axes_data(*set.different.front(), set.figures);
  if (!set.levels.empty()) data["levels"] = set.levels;
  data["lines"] = Json::array();
  for (std::size_t i = 0; i < set.different.size(); ++i) {
    Json line = line_data(*set.different[i], most_points_of_each);
    line["methods"] = set.methods[i];
    data["lines"].push_back(std::move(line));
  }
  return chart::figure_html(
      {"study-curves", set.node + " " + title, fmt::format("{} of {}", title, set.node), ""}, data);
}

/// The means of DET curves over the repeats or folds, one line per method; empty where no method
/// has several curves.
std::string mean_set_html(const CurveSet& set, const StudyMethods& methods) {
  if (!is_det_curve(*set.different.front())) return "";
  Json data = axes_data(*set.different.front(), set.figures);
  data["lines"] = Json::array();
  std::size_t most = 0;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::vector<const Curve*> curves;
    for (const VariantRecord* variant : methods.variants(m))
      for (const NodeRecord& node : variant->nodes)
        for (const Curve& curve : node.curves)
          if (node.name == set.node && curve.name == set.different.front()->name &&
              has_points(curve))
            curves.push_back(&curve);
    most = std::max(most, curves.size());
    if (curves.empty()) continue;
    Json line = line_data(mean_det_curve(curves));
    line["methods"] = Json::array({m});
    data["lines"].push_back(std::move(line));
  }
  if (most < 2) return "";
  const std::string title = "mean " + words(set.different.front()->name);
  return chart::figure_html(
      {"study-curves", set.node + " " + title, fmt::format("{} of {}", title, set.node),
       "The mean false non-match rate at each false match rate, over the "
       "repeats and data sets of a combination."},
      data);
}

}  // namespace

std::string charts(const StudyMethods& methods) {
  if (methods.size() == 0) return "";
  std::string out = study_data(methods) + R"(<section id="charts"><h2>Charts</h2>)";
  std::string caption = "Best first";
  const auto baseline = methods.study().results.baseline;
  if (baseline && methods.standing(*baseline).measured > 0)
    caption += "; the dashed line is the baseline";
  caption += ".";
  if (methods.study().results.blocks.size() > 1) caption += " Bars are one standard deviation.";
  out +=
      R"(<div class="tall">)" +
      chart::figure_html({"study-dots", "all combinations", "All combinations", caption}, nullptr) +
      "</div>";
  std::string beside = slot_charts(methods);
  // A map with many columns needs the whole width for its numbers.
  if (has_long_slot(methods.study()))
    out += heat_map(methods);
  else
    beside = heat_map(methods) + beside;
  if (!beside.empty()) out += R"(<div class="charts">)" + beside + "</div>";
  return out + parallel_coordinates(methods) + differences(methods) + rank_diagram(methods) +
         "</section>\n";
}

std::string curves(const StudyMethods& methods) {
  const std::vector<CurveSet> sets = curve_sets(methods);
  if (sets.empty()) return "";
  std::size_t different = 0;
  for (const CurveSet& set : sets) different += set.different.size();
  const std::size_t of_each =
      std::clamp(most_points / different, fewest_points_of_curve, most_points_of_curve);
  std::string out =
      R"(<section id="curves"><h2>Curves</h2><details class="chooser"><summary>Choose combinations</summary>)"
      R"(<div class="choices"></div></details><div class="charts">)";
  for (const CurveSet& set : sets)
    out += mean_set_html(set, methods) + curve_set_html(set, of_each);
  return out + "</div></section>\n";
}

}  // namespace semblance::study_sections
