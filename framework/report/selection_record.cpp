// SPDX-License-Identifier: MIT
#include "report/selection_record.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "statistics/summary.hpp"

namespace semblance {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool read_number(const std::string& text, double& value) {
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

std::string figure_of(const SelectionRecord& selection) {
  return selection.metric.substr(selection.metric.find('.') + 1);
}

nlohmann::ordered_json values_json(const SelectionRecord& selection, const TrialRecord& trial) {
  auto json = nlohmann::ordered_json::object();
  for (std::size_t p = 0; p < selection.parameters.size(); ++p)
    json[selection.parameters[p]] = trial.values[p];
  return json;
}

}  // namespace

void choose(SelectionRecord& selection) {
  bool any = false;
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    TrialRecord& trial = selection.trials[t];
    if (!trial.failure.empty()) continue;
    const statistics::Summary summary = statistics::summary(trial.folds);
    trial.mean = summary.mean;
    trial.error = summary.standard_error;
    const double best = selection.trials[selection.chosen].mean;
    const bool better = selection.higher_is_better ? trial.mean > best : trial.mean < best;
    if (!any || better) selection.chosen = t;
    any = true;
  }
  if (!any)
    throw Error("select: no combination of values could be validated; the first: " +
                selection.trials.front().failure);
  const double best = selection.trials[selection.chosen].mean;
  const double allowed = std::abs(best) * selection.within;
  for (std::size_t t = 0; t < selection.chosen; ++t)
    if (selection.trials[t].failure.empty() && std::abs(selection.trials[t].mean - best) <= allowed)
      selection.chosen = t;
}

std::string values_text(const SelectionRecord& selection, const TrialRecord& trial) {
  std::string text;
  for (std::size_t p = 0; p < selection.parameters.size(); ++p)
    text += (p ? ", " : "") + selection.parameters[p] + "=" + trial.values[p];
  return text;
}

nlohmann::ordered_json selection_json(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials.at(selection.chosen);
  nlohmann::ordered_json json = {
      {"metric", selection.metric},  {"better", selection.higher_is_better ? "higher" : "lower"},
      {"folds", selection.folds},    {"chosen", values_json(selection, best)},
      {"mean", best.mean},           {"standard_error", best.error},
      {"seconds", selection.seconds}};
  if (!selection.repeats.empty()) json["within"] = selection.within;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TrialRecord& trial : selection.trials) {
    nlohmann::ordered_json entry = {{"values", values_json(selection, trial)}};
    if (trial.failure.empty()) {
      entry["mean"] = trial.mean;
      entry["standard_error"] = trial.error;
      entry["folds"] = trial.folds;
    } else {
      entry["failure"] = trial.failure;
    }
    json["trials"].push_back(std::move(entry));
  }
  return json;
}

Table selection_table(const SelectionRecord& selection) {
  Table table{"selection", "values", "", {}, {"mean", "standard error"}, {}};
  for (std::size_t f = 0; f < selection.folds; ++f)
    table.columns.push_back(selection.repeats.empty() ? "fold " + std::to_string(f + 1)
                                                      : selection.repeats[f]);
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    const TrialRecord& trial = selection.trials[t];
    std::string name = values_text(selection, trial);
    if (name.empty()) name = "as it is";
    table.rows.push_back(name +
                         (t == selection.chosen && selection.trials.size() > 1 ? " (chosen)" : ""));
    const bool sound = trial.failure.empty();
    table.values.push_back(sound ? trial.mean : nothing);
    table.values.push_back(sound ? trial.error : nothing);
    for (std::size_t f = 0; f < selection.folds; ++f)
      table.values.push_back(sound ? trial.folds[f] : nothing);
  }
  return table;
}

Curve selection_curve(const SelectionRecord& selection) {
  Curve curve{figure_of(selection) + "_by_value", "", figure_of(selection), {}, {}};
  if (selection.parameters.size() != 1 || selection.trials.size() < 2) return curve;
  curve.x_label = selection.parameters.front();
  for (const TrialRecord& trial : selection.trials) {
    double x = 0;
    if (!read_number(trial.values.front(), x))
      return {curve.name, curve.x_label, curve.y_label, {}, {}};
    if (!trial.failure.empty()) continue;
    curve.x.push_back(x);
    curve.y.push_back(trial.mean);
  }
  return curve;
}

}  // namespace semblance
