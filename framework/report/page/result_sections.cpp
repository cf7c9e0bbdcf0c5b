// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/figure_line.hpp"
#include "report/page/confusion_matrix.hpp"
#include "report/page/curve_chart.hpp"
#include "report/page/html.hpp"
#include "report/page/number_table.hpp"
#include "report/page/plane_chart.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/sample_drawings.hpp"
#include "report/page/sample_list.hpp"
#include "support/figure_text.hpp"

namespace semblance::report_sections {
namespace {

using html::escaped;
using Json = nlohmann::ordered_json;

bool is_evaluator(const NodeRecord& node) { return node.kind() == "evaluator"; }

std::string metric_text(FigureUnit unit, const Json& value) {
  if (value.is_number()) return figure_text(unit, value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string figure(const std::string& name, FigureUnit unit, const Json& value) {
  std::string text = metric_text(unit, value);
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  return fmt::format(R"(<div class="figure"><dt>{}</dt><dd>{}{}</dd></div>)",
                     escaped(figure_words(name, unit)), escaped(text),
                     percent ? R"(<span class="unit">%</span>)" : "");
}

std::string figure(const NodeRecord& node, const std::string& name) {
  return figure(name, node.figure(name).unit, node.metrics[name]);
}

/// All metrics except those in the headline.
std::string metric_list(const NodeRecord& node) {
  std::vector<std::string> told;
  if (is_evaluator(node)) told = headline_figures(node);
  std::string out;
  for (const auto& [name, value] : node.metrics.items()) {
    const FigureUnit unit = node.figure(name).unit;
    if (std::ranges::find(told, name) == told.end())
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(figure_words(name, unit)),
                         escaped(metric_text(unit, value)));
  }
  return out.empty() ? "" : R"(<dl class="metrics">)" + out + "</dl>";
}

std::string curves(const NodeRecord& node) {
  if (node.curves.empty()) return "";
  std::string out = R"(<div class="charts">)";
  std::vector<std::string> drawn;
  for (const Curve& curve : node.curves) {
    const std::string title = shared_chart(curve);
    if (std::ranges::find(drawn, title) != drawn.end()) continue;
    std::vector<Curve> together;
    for (const Curve& other : node.curves)
      if (!title.empty() && shared_chart(other) == title && has_points(other))
        together.push_back(other);
    if (together.size() < 2) {
      out += curve_chart_html(curve, node.name, node.figures);
      continue;
    }
    out += curve_chart_html(title, together, node.name, node.figures);
    drawn.push_back(title);
  }
  return out + "</div>";
}

/// Several maps, say one per iteration, are small multiples.
std::string plane_maps(const NodeRecord& node) {
  if (node.plane_maps.empty()) return "";
  std::string out =
      node.plane_maps.size() > 2 ? R"(<div class="charts many">)" : R"(<div class="charts">)";
  for (const PlaneMap& map : node.plane_maps) out += plane_chart_html(map, node.name);
  return out + "</div>";
}

std::string tables(const NodeRecord& node) {
  std::string out;
  for (const Table& table : node.tables) {
    out += fmt::format("<h4>{}</h4>", escaped(words(table.name)));
    out += is_confusion_matrix(table) ? confusion_matrix_html(table, node.name)
                                      : number_table_html(table, node.figures);
  }
  return out;
}

std::string node_results(const NodeRecord& node) {
  if (node.metrics.empty() && node.curves.empty() && node.tables.empty() &&
      node.plane_maps.empty() && node.samples.empty() && node.sample_lists.empty())
    return "";
  std::string lists;
  for (const DrawnList& list : node.sample_lists) lists += sample_list_html(list);
  return fmt::format(
      "<section class=\"node\"><h3>{} <code>{}</code></h3><p class=\"summary\">{}</p>{}{}{}{}{}{}"
      "</section>\n",
      escaped(node.name), escaped(node.component), escaped(node.summary), metric_list(node),
      plane_maps(node), tables(node), curves(node), sample_drawings_html(node.samples), lists);
}

/// Replaces the evaluators' figures of test samples where there are none.
std::string cross_validated(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials[selection.chosen];
  const std::size_t dot = selection.metric.find('.');
  const std::string name = selection.metric.substr(dot + 1);
  return fmt::format(R"(<div class="evaluator"><h2>{}, {}</h2><dl>)",
                     escaped(selection.metric.substr(0, dot)),
                     selection.leave_one_out ? "leave-one-out" : "cross-validated") +
         figure(name, selection.unit, best.mean) +
         (selection.leave_one_out ? ""
                                  : figure("standard_deviation", selection.unit, best.deviation) +
                                        figure("folds", FigureUnit::count, selection.folds)) +
         "</dl></div>\n";
}

}  // namespace

std::string headline(const RunRecord& run) {
  std::string out;
  for (const NodeRecord& node : run.nodes) {
    if (!is_evaluator(node)) continue;
    const std::vector<std::string> names = headline_figures(node);
    if (names.empty()) continue;
    out += fmt::format(R"(<div class="evaluator"><h2>{}</h2><dl>)", escaped(node.name));
    for (const std::string& name : names) out += figure(node, name);
    out += "</dl></div>\n";
  }
  if (out.empty() && run.selection) out = cross_validated(*run.selection);
  return out.empty() ? "" : "<section class=\"headline\">" + out + "</section>\n";
}

std::string results(const RunRecord& run) {
  std::string evaluators, others;
  for (const NodeRecord& node : run.nodes)
    (is_evaluator(node) ? evaluators : others) += node_results(node);
  std::string out;
  if (!evaluators.empty()) out += "<section><h2>Evaluation</h2>" + evaluators + "</section>\n";
  if (!others.empty()) out += "<section><h2>Training</h2>" + others + "</section>\n";
  return out;
}

}  // namespace semblance::report_sections
