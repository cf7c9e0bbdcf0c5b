// SPDX-License-Identifier: MIT
#include "report/selection_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "registry/figures.hpp"
#include "semblance/error.hpp"
#include "semblance/same_figure.hpp"
#include "statistics/summary.hpp"

namespace semblance {
namespace {

bool read_number(const std::string& text, double& value) {
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

/// The value with all its digits.
std::string exact_value(const SelectionRecord& selection, const TrialRecord& trial,
                        std::size_t parameter) {
  const auto slot = selection.numbers.find(selection.parameters[parameter]);
  if (slot == selection.numbers.end()) return trial.values[parameter];
  const auto number = slot->second.find(trial.values[parameter]);
  return number == slot->second.end() ? trial.values[parameter] : number->second;
}

nlohmann::ordered_json values_json(const SelectionRecord& selection, const TrialRecord& trial) {
  auto json = nlohmann::ordered_json::object();
  for (std::size_t p = 0; p < selection.parameters.size(); ++p)
    if (!trial.values[p].empty()) json[selection.parameters[p]] = exact_value(selection, trial, p);
  return json;
}

}  // namespace

void drop_trials(SelectionRecord& selection) {
  std::vector<double> means;
  for (const TrialRecord& trial : selection.trials)
    if (trial.failure.empty() && !trial.dropped)
      means.push_back(trial.pooled.value_or(statistics::summary(trial.folds).mean));
  const std::size_t count =
      std::max(fewest_trials, (means.size() + selection.halving - 1) / selection.halving);
  if (means.size() <= count) return;
  // A mean that is not a number is the worst.
  const auto better = [&](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    return selection.higher_is_better ? a > b : a < b;
  };
  std::ranges::sort(means, better);
  const double last = means[count - 1];
  for (TrialRecord& trial : selection.trials) {
    if (!trial.failure.empty() || trial.dropped) continue;
    const double mean = trial.pooled.value_or(statistics::summary(trial.folds).mean);
    trial.dropped = better(last, mean) && !same_figure(last, mean);
  }
}

void choose(SelectionRecord& selection) {
  const TrialRecord* best = nullptr;
  for (TrialRecord& trial : selection.trials) {
    if (!trial.failure.empty()) continue;
    const statistics::Summary summary = statistics::summary(trial.folds);
    trial.mean = summary.mean;
    trial.deviation = summary.deviation;
    trial.error = summary.standard_error;
    if (trial.dropped) continue;
    const bool better = best && (selection.higher_is_better ? trial.figure() > best->figure()
                                                            : trial.figure() < best->figure());
    if (!best || better || std::isnan(best->figure())) best = &trial;
  }
  if (!best)
    throw Error("select: no combination of values could be validated; the first failure: " +
                std::ranges::find_if(selection.trials, [](const TrialRecord& trial) {
                  return !trial.failure.empty();
                })->failure);
  const double least = best->figure();
  const double allowed =
      std::isfinite(least) ? std::abs(least) * selection.within + rounding_of(least) : 0;
  const auto chosen = std::ranges::find_if(selection.trials, [&](const TrialRecord& trial) {
    return trial.failure.empty() && !trial.dropped &&
           (same_figure(trial.figure(), least) || std::abs(trial.figure() - least) <= allowed);
  });
  selection.chosen = chosen == selection.trials.end()
                         ? static_cast<std::size_t>(best - selection.trials.data())
                         : static_cast<std::size_t>(chosen - selection.trials.begin());
}

namespace {

/// Whether a parameter of the trials exists in some of them only.
bool is_conditional(const SelectionRecord& selection, std::size_t parameter) {
  return std::ranges::any_of(selection.trials, [&](const TrialRecord& trial) {
    return trial.values.at(parameter).empty();
  });
}

/// Whether the trial has the same words (a kernel, say) as the chosen one for all parameters whose
/// values are words there.
bool same_words(const SelectionRecord& selection, const TrialRecord& trial) {
  const auto& chosen = selection.trials[selection.chosen].values;
  double number = 0;
  for (std::size_t p = 0; p < chosen.size(); ++p)
    if (!read_number(chosen[p], number) && trial.values[p] != chosen[p]) return false;
  return true;
}

/// If all values of a parameter are numbers, three or more, whether the chosen one is the smallest
/// (-1) or the greatest (1); otherwise 0. A parameter that not all trials have counts among trials
/// of the same kind only: gamma=1 of another kernel means another thing.
int edge_of(const SelectionRecord& selection, std::size_t parameter, std::size_t& count) {
  const bool conditional = is_conditional(selection, parameter);
  std::set<double> values;
  double value = 0, chosen = 0;
  for (std::size_t t = 0; t < selection.trials.size(); ++t) {
    const TrialRecord& trial = selection.trials[t];
    if (conditional && !same_words(selection, trial)) continue;
    if (!read_number(trial.values.at(parameter), value)) return 0;
    values.insert(value);
    if (t == selection.chosen) chosen = value;
  }
  count = values.size();
  if (count < 3) return 0;
  return chosen == *values.begin() ? -1 : chosen == *values.rbegin() ? 1 : 0;
}

/// Whether a trial with another value of the parameter is as good as the chosen one, or worse by no
/// more than the standard error of the chosen mean: that is no trend towards the edge.
bool another_is_as_good(const SelectionRecord& selection, std::size_t parameter) {
  const TrialRecord& chosen = selection.trials[selection.chosen];
  return std::ranges::any_of(selection.trials, [&](const TrialRecord& trial) {
    return trial.failure.empty() && !trial.dropped &&
           trial.values[parameter] != chosen.values[parameter] &&
           (!better_figure(chosen.figure(), trial.figure(), selection.higher_is_better) ||
            std::abs(chosen.figure() - trial.figure()) <= chosen.error);
  });
}

}  // namespace

std::string edge_remark(const SelectionRecord& selection) {
  std::string text;
  for (std::size_t p = 0; p < selection.parameters.size(); ++p) {
    std::size_t count = 0;
    const int edge = edge_of(selection, p, count);
    if (edge == 0 || another_is_as_good(selection, p)) continue;
    text += fmt::format("{}the best {}, {}, is the {} of the {} tried", text.empty() ? "" : "; ",
                        selection.parameters[p], selection.trials[selection.chosen].values[p],
                        edge < 0 ? "smallest" : "greatest", count);
  }
  return text.empty() ? "" : text + ": a better one may lie beyond it, so try further values";
}

std::string edge_remark(const ResultTable& table, const Comparison& comparison) {
  SelectionRecord selection;
  selection.higher_is_better = table.higher_is_better;
  selection.parameters = table.slots;
  selection.chosen = table.methods.size();
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
    const Standing& standing = comparison.standings[i];
    if (table.methods[i].choices.size() != table.slots.size()) return "";
    if (standing.best && selection.chosen == table.methods.size()) selection.chosen = i;
    TrialRecord trial;
    trial.values = table.methods[i].choices;
    trial.mean = standing.mean;
    trial.error = standing.standard_error;
    if (standing.measured == 0) trial.failure = "not measured";
    selection.trials.push_back(std::move(trial));
  }
  return selection.chosen < selection.trials.size() ? edge_remark(selection) : "";
}

std::string values_text(const SelectionRecord& selection, const TrialRecord& trial) {
  std::string text;
  for (std::size_t p = 0; p < selection.parameters.size(); ++p)
    if (!trial.values[p].empty())
      text += (text.empty() ? "" : ", ") + selection.parameters[p] + "=" + trial.values[p];
  return text;
}

nlohmann::ordered_json selection_json(const SelectionRecord& selection) {
  const TrialRecord& best = selection.trials.at(selection.chosen);
  nlohmann::ordered_json json = {{"metric", selection.metric},
                                 {"unit", name(selection.unit)},
                                 {"better", selection.higher_is_better ? "higher" : "lower"},
                                 {"folds", selection.folds},
                                 {"chosen", values_json(selection, best)},
                                 {"value", best.figure()},
                                 {"mean", best.mean}};
  if (selection.leave_one_out) {
    json["folds"] = "leave_one_out";
  } else {
    json["deviation"] = best.deviation;
    json["standard_error"] = best.error;
  }
  if (selection.halving > 0) json["halving"] = selection.halving;
  json["seconds"] = selection.seconds;
  if (!selection.repeats.empty()) json["within"] = selection.within;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TrialRecord& trial : selection.trials) {
    nlohmann::ordered_json entry = {{"values", values_json(selection, trial)}};
    if (trial.failure.empty()) {
      entry["value"] = trial.figure();
      entry["mean"] = trial.mean;
      if (!selection.leave_one_out) {
        entry["deviation"] = trial.deviation;
        entry["standard_error"] = trial.error;
        entry["folds"] = trial.folds;
        if (trial.dropped) entry["dropped"] = true;
      }
    } else {
      entry["failure"] = trial.failure;
    }
    json["trials"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace semblance
