// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "registry/figures.hpp"
#include "report/figure_line.hpp"
#include "report/page/confusion_matrix.hpp"
#include "report/page/curve_chart.hpp"
#include "report/page/drawing_chart.hpp"
#include "report/page/html.hpp"
#include "report/page/plane_chart.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/sample_drawings.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"
#include "statistics/summary.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance::report_sections {

namespace {

using html::escaped;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_values = 100000;

constexpr std::size_t most_open_rows = 40;

/// Bars are drawn behind the shares of a table with at most this many columns of them.
constexpr std::size_t most_columns_with_bars = 4;

enum class Format { share_with_bar, share, whole, number };

Format column_format(const Table& table, std::size_t column, std::span<const FigureInfo> figures) {
  bool share = unit_of_column(figures, table.name, table.columns[column]) == FigureUnit::share;
  bool whole = true;
  for (std::size_t i = column; i < table.values.size(); i += table.columns.size()) {
    const double value = table.values[i];
    if (!std::isfinite(value)) continue;
    share &= value >= 0 && value <= 1;
    whole &= value == std::trunc(value);
  }
  return share ? Format::share : whole ? Format::whole : Format::number;
}

std::string cell(double value, Format format) {
  // An undefined value (the precision of a class never predicted) sorts after all others.
  if (std::isnan(value)) return R"(<td data-v="">–</td>)";
  if (!std::isfinite(value))
    return fmt::format(R"(<td data-v="{}1e308">{}∞</td>)", value < 0 ? "-" : "",
                       value < 0 ? "−" : "");
  if (format == Format::share)
    return fmt::format(R"(<td data-v="{}">{}%</td>)", value, percent(value, 1));
  if (format == Format::share_with_bar)
    return fmt::format(
        R"(<td class="share" data-v="{}"><span class="bar"><i style="width:{:.1f}%"></i></span>)"
        "{}%</td>",
        value, 100 * value, percent(value, 1));
  return fmt::format(R"(<td data-v="{}">{}</td>)", value,
                     quantity_text(value, format == Format::number ? 5 : 6));
}

/// Any reported table, sortable by a click on a column's head. Columns that are shares according to
/// the node's figures are percentages with a bar behind each.
std::string number_table_html(const Table& table, std::span<const FigureInfo> figures) {
  if (table.values.empty()) return R"(<p class="note">It is empty.</p>)";
  std::vector<Format> formats;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    formats.push_back(column_format(table, column, figures));
  if (std::ranges::count(formats, Format::share) <= std::ptrdiff_t{most_columns_with_bars})
    std::ranges::replace(formats, Format::share, Format::share_with_bar);

  const bool folded = table.rows.size() > most_open_rows;
  std::string out;
  if (folded)
    out += fmt::format("<details><summary>{} rows</summary>",
                       count_text(static_cast<std::int64_t>(table.rows.size())));
  out += fmt::format(
      R"(<div class="scroll"><table class="numbers sortable"><thead><tr><th scope="col">{}</th>)",
      html::escaped(words(table.row_label)));
  for (const std::string& column : table.columns)
    out += fmt::format(R"(<th scope="col">{}</th>)", html::escaped(words(column)));
  out += "</tr></thead><tbody>";
  const std::size_t columns = table.columns.size();
  const std::size_t shown = std::min(table.rows.size(), most_values / columns);
  for (std::size_t row = 0; row < shown; ++row) {
    out += fmt::format(R"(<tr><th scope="row">{}</th>)", html::escaped(table.rows[row]));
    for (std::size_t column = 0; column < columns; ++column)
      out += cell(table.values[row * columns + column], formats[column]);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>";
  if (shown < table.rows.size())
    out +=
        fmt::format(R"(<p class="note">The first {} of {} rows; metrics.json has all of them.</p>)",
                    count_text(static_cast<std::int64_t>(shown)),
                    count_text(static_cast<std::int64_t>(table.rows.size())));
  return folded ? out + "</details>" : out;
}

std::string explanation(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials[selection.chosen];
  const std::string values = values_text(selection, best);
  if (selection.leave_one_out)
    return fmt::format(
        "{}{} {} (each training row predicted from all others).{}",
        values.empty() ? "" : "Chosen: " + values + ", with ", selection.metric,
        figure_text(selection.unit, best.figure()),
        values.empty()
            ? " The model has all training rows."
            : fmt::format(" The {}est of {} wins; the figures above come from these "
                          "values with all training rows.",
                          selection.higher_is_better ? "high" : "low", selection.trials.size()));
  const bool spread = std::isfinite(best.error);
  const std::string figure = selection.metric + " " +
                             (spread ? figure_with_error(selection.unit, best.figure(), best.error)
                                     : figure_text(selection.unit, best.figure()));
  const std::string over = fmt::format("{}{} over {} folds of the training rows",
                                       best.pooled ? "of all held-out rows" : "mean",
                                       !spread       ? ","
                                       : best.pooled ? ", with the standard error"
                                                     : " and standard error",
                                       selection.folds);
  if (values.empty())
    return fmt::format(
        "{} ({}{}). The model is trained on all training rows.", figure, over,
        spread ? ", standard deviation " + figure_text(selection.unit, best.deviation) : "");
  return fmt::format(
      "Chosen: {}, with {} ({}). The {}est of {} wins; the figures above come from training with "
      "these values on all training rows.",
      values, figure, over, selection.higher_is_better ? "high" : "low", selection.trials.size());
}

bool is_evaluator(const NodeRecord& node) { return node.kind() == "evaluator"; }

std::string metric_text(FigureUnit unit, const Json& value) {
  if (value.is_number()) return figure_text(unit, value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string figure(const std::string& name, FigureUnit unit, const Json& value,
                   const std::string& interval = "") {
  std::string text = metric_text(unit, value);
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  return fmt::format(R"(<div class="figure"><dt>{}{}</dt><dd>{}{}</dd></div>)",
                     escaped(figure_words(name, unit)), interval, escaped(text),
                     percent ? R"(<span class="unit">%</span>)" : "");
}

/// The confidence interval of a share of the test rows: the accuracy or the error rate, where the
/// number of errors and of rows are known.
std::string interval_html(const NodeRecord& node, const std::string& name) {
  const auto count = [&](const char* of) {
    const auto found = node.metrics.find(of);
    return found != node.metrics.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                                     : std::int64_t{-1};
  };
  const std::int64_t errors = count("errors"), rows = count("rows");
  if ((name != "accuracy" && name != "error_rate") || errors < 0 || rows < 1 || errors > rows)
    return "";
  const auto part = static_cast<std::size_t>(name == "accuracy" ? rows - errors : errors);
  const statistics::Interval interval =
      statistics::wilson_interval(part, static_cast<std::size_t>(rows));
  return fmt::format(
      R"( <span class="interval" title="95 % confidence interval (Wilson), for {} independent )"
      R"(test rows">{}–{}%</span>)",
      count_text(rows), percent(interval.low, 1), percent(interval.high, 1));
}

std::string figure(const NodeRecord& node, const std::string& name) {
  return figure(name, node.figure(name).unit, node.metrics[name], interval_html(node, name));
}

/// All metrics except those in the headline.
std::string metric_list(const NodeRecord& node) {
  std::vector<std::string> shown;
  if (is_evaluator(node)) shown = headline_figures(node);
  std::string out;
  for (const auto& [name, value] : node.metrics.items()) {
    const FigureUnit unit = node.figure(name).unit;
    if (std::ranges::find(shown, name) == shown.end())
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(figure_words(name, unit)),
                         escaped(metric_text(unit, value)));
  }
  return out.empty() ? "" : R"(<dl class="metrics">)" + out + "</dl>";
}

/// "AUC = 0.953", the area under a node's ROC curves, for the charts of these.
std::string area_text(const NodeRecord& node, const std::vector<Curve>& curves) {
  const auto area = node.metrics.find("auc");
  if (!curves.front().name.starts_with("roc") || area == node.metrics.end() || !area->is_number())
    return "";
  return fmt::format("{}AUC = {:.3f}", curves.size() > 1 ? "mean " : "", area->get<double>());
}

std::string curves(const NodeRecord& node) {
  if (node.curves.empty()) return "";
  std::string out = R"(<div class="charts">)";
  std::vector<std::string> drawn;
  for (const Curve& curve : node.curves) {
    if (is_level(curve, node.curves)) continue;
    const std::string title = shared_chart(curve);
    if (std::ranges::find(drawn, title) != drawn.end()) continue;
    std::vector<Curve> together;
    for (const Curve& other : node.curves)
      if (!title.empty() && shared_chart(other) == title && has_points(other))
        together.push_back(other);
    if (together.size() < 2) {
      out += curve_chart_html(curve, node.name, node.figures, area_text(node, {curve}),
                              levels_of(curve, node.curves));
      continue;
    }
    out += curve_chart_html(title, together, node.name, node.figures, area_text(node, together));
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

/// Drawings side by side; a heat map that is too large for a chart is a table.
std::string drawings(const NodeRecord& node) {
  std::string charts, tables;
  for (const Drawing& drawing : node.drawings) {
    if (is_drawn(drawing)) {
      charts += drawing_html(drawing, node.name, node.figures);
      continue;
    }
    const auto& map = std::get<HeatMap>(drawing);
    tables += fmt::format("<h4>{}</h4>{}", escaped(words(map.name)),
                          number_table_html({map.name, map.row_label, map.column_label, map.rows,
                                             map.columns, map.values},
                                            node.figures));
  }
  if (!charts.empty()) charts = R"(<div class="charts">)" + charts + "</div>";
  return charts + tables;
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
      node.plane_maps.empty() && node.drawings.empty() && node.samples.empty() &&
      node.sample_lists.empty() && node.explanations.empty())
    return "";
  std::string lists;
  for (const DrawnList& list : node.sample_lists) lists += sample_list_html(list);
  for (const DrawnExplanations& list : node.explanations) lists += explained_samples_html(list);
  return fmt::format(
      "<section class=\"node\"><h3>{} <code>{}</code></h3><p class=\"summary\">{}</p>{}{}{}{}{}{}{}"
      "</section>\n",
      escaped(node.name), escaped(node.component), escaped(node.summary), metric_list(node),
      plane_maps(node), drawings(node), tables(node), curves(node),
      sample_drawings_html(node.samples), lists);
}

/// Replaces the evaluators' figures of test samples where there are none.
std::string cross_validated(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials[selection.chosen];
  const std::size_t dot = selection.metric.find('.');
  const std::string name = selection.metric.substr(dot + 1);
  return fmt::format(R"(<div class="evaluator"><h2>{}, {}</h2><dl>)",
                     escaped(selection.metric.substr(0, dot)),
                     selection.leave_one_out ? "leave-one-out" : "cross-validated") +
         figure(name, selection.unit, best.figure()) +
         (selection.leave_one_out ? ""
                                  : figure("standard_deviation", selection.unit, best.deviation) +
                                        figure("folds", FigureUnit::count, selection.folds)) +
         "</dl></div>\n";
}

std::string trials_table(const SelectionRecord& choice) {
  const Table table = selection_table(choice);
  const std::vector<FigureInfo> figures = {{table.name + ".*", "", choice.unit}};
  return number_table_html(table, figures);
}

std::string selection_section(const SelectionRecord& choice, const std::string& trials) {
  return fmt::format(
      "<section id=\"selection\"><h2>Cross-validation</h2><p class=\"summary\">{}</p>{}"
      "</section>\n",
      escaped(explanation(choice)), trials);
}

}  // namespace

std::string headline(const RunRecord& run) {
  std::string out;
  for (const NodeRecord& node : run.nodes) {
    if (!is_evaluator(node) || !node.explanations.empty()) continue;
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
  if (!evaluators.empty())
    out += "<section id=\"evaluation\"><h2>Evaluation</h2>" + evaluators + "</section>\n";
  if (!others.empty())
    out += "<section id=\"training\"><h2>Training</h2>" + others + "</section>\n";
  return out;
}

std::string selection(const RunRecord& run) {
  return run.selection ? selection_section(*run.selection, trials(*run.selection, "selection"))
                       : "";
}

std::string selection_as_table(const RunRecord& run) {
  return run.selection ? selection_section(*run.selection, trials_table(*run.selection)) : "";
}

std::string trials(const SelectionRecord& choice, const std::string& name) {
  const std::string chart = selection_chart_html(choice, name);
  if (chart.empty()) return trials_table(choice);
  return fmt::format("{}<details><summary>All {} combinations as a table</summary>{}</details>",
                     chart, choice.trials.size(), trials_table(choice));
}

}  // namespace semblance::report_sections
