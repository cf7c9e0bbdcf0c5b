// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page/curve_chart.hpp"
#include "report/page/html.hpp"
#include "report/page/number_table.hpp"
#include "report/page/report_sections.hpp"
#include "support/figure_text.hpp"

namespace semblance::report_sections {
namespace {

using html::escaped;

std::string explanation(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials[selection.chosen];
  const std::string values = values_text(selection, best);
  if (selection.leave_one_out)
    return fmt::format(
        "{}{} {} (each training row predicted from all others).{}",
        values.empty() ? "" : "Chosen: " + values + ", with ", selection.metric,
        figure_text(selection.unit, best.mean),
        values.empty()
            ? " The model has all training rows."
            : fmt::format(" The {}est of {} wins; the figures above come from these "
                          "values with all training rows.",
                          selection.higher_is_better ? "high" : "low", selection.trials.size()));
  const std::string figure =
      fmt::format("{} {} ± {}", selection.metric, figure_text(selection.unit, best.mean),
                  figure_text(selection.unit, best.error));
  if (values.empty())
    return fmt::format(
        "{} (mean and standard error over {} folds of the training rows, standard deviation {}). "
        "The model is trained on all training rows.",
        figure, selection.folds, figure_text(selection.unit, best.deviation));
  return fmt::format(
      "Chosen: {}, with {} (mean and standard error over {} folds of the training rows). The {}est "
      "of {} means wins; the figures above come from training with these values on all training "
      "rows.",
      values, figure, selection.folds, selection.higher_is_better ? "high" : "low",
      selection.trials.size());
}

}  // namespace

std::string selection(const RunRecord& run) {
  if (!run.selection) return "";
  return fmt::format(
      "<section id=\"selection\"><h2>Cross-validation</h2><p class=\"summary\">{}</p>{}"
      "</section>\n",
      escaped(explanation(*run.selection)), trials(*run.selection, "selection"));
}

std::string trials(const SelectionRecord& choice, const std::string& name) {
  const Curve curve = selection_curve(choice);
  const Table table = selection_table(choice);
  const std::vector<FigureInfo> figures = {{table.name + ".*", "", choice.unit},
                                           {curve.y_label, "", choice.unit}};
  std::string chart;
  if (has_points(curve))
    chart = R"(<div class="charts">)" + curve_chart_html(curve, name, figures) + "</div>";
  return number_table_html(table, figures) + chart;
}

}  // namespace semblance::report_sections
