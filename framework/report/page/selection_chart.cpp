// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "report/page/chart.hpp"
#include "report/page/report_sections.hpp"
#include "semblance/same_figure.hpp"
#include "support/figure_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// The different values of a parameter, ascending if all are numbers, else in the order of trials.
std::vector<std::string> values_of(const SelectionRecord& choice, std::size_t parameter) {
  std::vector<std::string> values;
  for (const TrialRecord& trial : choice.trials)
    if (std::ranges::find(values, trial.values[parameter]) == values.end())
      values.push_back(trial.values[parameter]);
  if (std::ranges::all_of(values, [](const auto& value) { return as_number(value).has_value(); }))
    std::ranges::stable_sort(values, {}, [](const auto& value) { return *as_number(value); });
  return values;
}

std::vector<std::size_t> varying_parameters(const SelectionRecord& choice) {
  std::vector<std::size_t> varying;
  for (std::size_t p = 0; p < choice.parameters.size(); ++p)
    if (values_of(choice, p).size() > 1) varying.push_back(p);
  return varying;
}

std::string metric_name(const SelectionRecord& choice) {
  return words(choice.metric.substr(choice.metric.find('.') + 1));
}

bool are_shares(const SelectionRecord& choice) {
  return choice.unit == FigureUnit::share &&
         std::ranges::all_of(choice.trials, [](const TrialRecord& trial) {
           return !trial.failure.empty() || (trial.figure() >= 0 && trial.figure() <= 1);
         });
}

std::string failures_remark(const SelectionRecord& choice) {
  const auto failed = std::ranges::count_if(
      choice.trials, [](const TrialRecord& trial) { return !trial.failure.empty(); });
  const auto dropped = std::ranges::count(choice.trials, true, &TrialRecord::dropped);
  return (failed == 0 ? "" : fmt::format(" {} of {} failed.", failed, choice.trials.size())) +
         (dropped == 0 ? ""
                       : fmt::format(" {} of {} were dropped before the last fold (halving).",
                                     dropped, choice.trials.size()));
}

std::string curve(const SelectionRecord& choice, std::size_t parameter, const std::string& name) {
  std::vector<const TrialRecord*> trials;
  for (const TrialRecord& trial : choice.trials) {
    if (!as_number(trial.values[parameter])) return "";
    if (trial.failure.empty()) trials.push_back(&trial);
  }
  std::ranges::stable_sort(
      trials, {}, [&](const TrialRecord* trial) { return *as_number(trial->values[parameter]); });
  Json line = {{"name", ""}, {"x", Json::array()}, {"y", Json::array()}, {"error", Json::array()}};
  for (const TrialRecord* trial : trials) {
    line["x"].push_back(chart::number(*as_number(trial->values[parameter])));
    line["y"].push_back(chart::number(trial->figure()));
    line["error"].push_back(choice.folds > 1 ? chart::number(trial->error) : Json(nullptr));
  }
  const TrialRecord& chosen = choice.trials[choice.chosen];
  const Json data = {{"kind", "lines"},
                     {"marks", true},
                     {"x", choice.parameters[parameter]},
                     {"y", metric_name(choice)},
                     {"y_share", are_shares(choice)},
                     {"chosen", Json::array({chart::number(*as_number(chosen.values[parameter])),
                                             chart::number(chosen.figure())})},
                     {"lines", Json::array({line})}};
  std::string caption = "The chosen value has a circle.";
  if (choice.folds > 1) caption += " Bars are one standard error.";
  const std::string title =
      fmt::format("{} against {}", metric_name(choice), choice.parameters[parameter]);
  return chart::figure_html({"lines", name + " " + title, title, caption + failures_remark(choice)},
                            data);
}

/// The best mean of the trials with this pair of values; nothing where all failed.
std::optional<double> best_mean(const SelectionRecord& choice, std::size_t first,
                                const std::string& row, std::size_t second,
                                const std::string& column) {
  std::optional<double> best;
  for (const TrialRecord& trial : choice.trials)
    if (trial.failure.empty() && trial.values[first] == row && trial.values[second] == column &&
        (!best || better_figure(trial.figure(), *best, choice.higher_is_better)))
      best = trial.figure();
  return best;
}

std::size_t place_of(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

/// Trials without the parameter have no value of it.
std::vector<std::string> labels(std::vector<std::string> values) {
  std::ranges::replace(values, "", "–");
  return values;
}

std::string heat_map(const SelectionRecord& choice, const std::vector<std::size_t>& varying,
                     const std::string& name) {
  const std::size_t first = varying[0], second = varying[1];
  const std::vector<std::string> rows = values_of(choice, first);
  const std::vector<std::string> columns = values_of(choice, second);
  Json values = Json::array();
  for (const std::string& row : rows) {
    values.push_back(Json::array());
    for (const std::string& column : columns) {
      const auto best = best_mean(choice, first, row, second, column);
      values.back().push_back(best ? chart::number(*best) : Json(nullptr));
    }
  }
  const TrialRecord& chosen = choice.trials[choice.chosen];
  const Json data = {{"kind", "heat"},
                     {"rows", labels(rows)},
                     {"columns", labels(columns)},
                     {"row_label", choice.parameters[first]},
                     {"column_label", choice.parameters[second]},
                     {"share", are_shares(choice)},
                     {"chosen", Json::array({place_of(rows, chosen.values[first]),
                                             place_of(columns, chosen.values[second])})},
                     {"values", std::move(values)}};
  std::string caption = varying.size() == 2
                            ? "The mean of each pair; the chosen one has a frame."
                            : "The best mean of each pair over the values of the other parameters; "
                              "the chosen one has a frame.";
  const std::string title = fmt::format("{} by {} and {}", metric_name(choice),
                                        choice.parameters[first], choice.parameters[second]);
  return chart::figure_html({"heat", name + " " + title, title, caption + failures_remark(choice)},
                            data);
}

}  // namespace

std::string selection_chart_html(const SelectionRecord& choice, const std::string& name) {
  const std::vector<std::size_t> varying = varying_parameters(choice);
  if (varying.empty()) return "";
  return varying.size() == 1 ? curve(choice, varying[0], name) : heat_map(choice, varying, name);
}

}  // namespace semblance
