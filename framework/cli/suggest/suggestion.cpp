// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/suggest/suggest.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

/// Adds nodes of several studies to one list: each name includes its method.
void add_nodes(RunRecord& all, std::vector<NodeRecord> nodes, const std::string& method) {
  for (NodeRecord& node : nodes) {
    for (std::string& input : node.inputs) input.insert(0, method + ":");
    node.name.insert(0, method + ":");
    all.nodes.push_back(std::move(node));
  }
}

template <class T>
void add_missing(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& one : more)
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

void add_run(RunRecord& all, RunRecord single, const std::string& method) {
  add_nodes(all, std::move(single.nodes), method);
  add_missing(all.files, single.files);
  add_missing(all.plugins, single.plugins);
  add_missing(all.warnings, single.warnings);
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, single.peak_memory_bytes);
  all.wall_seconds += single.wall_seconds;
  all.resolved_pipeline += "\n" + single.resolved_pipeline;
}

bool in_percent(const Suggestion& all) { return all.study.results.unit == FigureUnit::share; }

/// "balanced accuracy"
std::string metric_words(const Suggestion& all) {
  std::string words = all.study.results.metric;
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// A share in per cent, or a number in the unit of the metric.
std::string figure_text(const Suggestion& all, const Standing& standing) {
  if (!in_percent(all)) return fmt::format("{:.5g} +- {:.2g}", standing.mean, standing.deviation);
  return fmt::format("{:.2f} +- {:.2f}", 100 * standing.mean, 100 * standing.deviation);
}

std::string heading(const Suggestion& all) {
  if (all.study.results.metric == "error_rate") return "error [%]";
  return metric_words(all) + (in_percent(all) ? " [%]" : "");
}

/// The mean share of held-out usual samples that detector `m` takes for novel; nothing if methods
/// are not detectors.
std::optional<double> false_alarms(const Suggestion& all, std::size_t m) {
  if (all.study.results.further.empty()) return std::nullopt;
  double sum = 0;
  const auto& measurements = all.study.results.methods[m].measurements;
  for (const Measurement& one : measurements) sum += one.further.at(0);
  return sum / static_cast<double>(measurements.size());
}

std::string mark(const Suggestion& all, std::size_t m) {
  if (m == best_method(all)) return "*";
  return as_good_as_best(all, m) ? "=" : "";
}

/// "-0.8 to 2.1 points": by how much a method is worse than the best, with 95 % confidence; or what
/// all splits say alike.
std::string interval_text(const Suggestion& all, const Standing& standing) {
  if (!standing.difference) return "";
  const double sign = all.study.results.higher_is_better ? -1 : 1;
  if (!standing.difference_reach)
    return in_percent(all) ? fmt::format("{:.1f} each time", 100 * sign * *standing.difference)
                           : fmt::format("{:.3g} each time", sign * *standing.difference);
  const double low = sign * *standing.difference - *standing.difference_reach;
  const double high = sign * *standing.difference + *standing.difference_reach;
  if (!in_percent(all)) return fmt::format("{:.3g} to {:.3g}", low, high);
  return fmt::format("{:.1f} to {:.1f}", 100 * low, 100 * high);
}

std::string small_seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  return seconds_text(seconds);
}

}  // namespace

void add_method(Suggestion& all, StudyRecord single, const std::string& name,
                const std::optional<Cost>& cost) {
  all.costs.push_back(cost);
  StudyRecord& study = all.study;
  if (all.costs.size() == 1) {
    study = std::move(single);
    std::vector<NodeRecord> nodes;
    nodes.swap(study.run.nodes);
    return add_nodes(study.run, std::move(nodes), name);
  }
  for (VariantRecord& variant : single.variants) {
    variant.choices = {study.slots.front().alternatives.size()};
    study.variants.push_back(std::move(variant));
  }
  study.slots.front().alternatives.push_back(name);
  for (Method& method : single.results.methods) study.results.methods.push_back(std::move(method));
  study.nodes_before += single.nodes_before;
  study.nodes_after += single.nodes_after;
  add_run(study.run, std::move(single.run), name);
}

void compare_with_best(Suggestion& all) {
  StudyRecord& study = all.study;
  study.results.baseline.reset();
  study.comparison = compare(study.results);
  const auto best = std::ranges::find(study.comparison.standings, true, &Standing::best);
  study.results.baseline = static_cast<std::size_t>(best - study.comparison.standings.begin());
  study.comparison = compare(study.results);
}

std::size_t best_method(const Suggestion& all) { return all.study.results.baseline.value(); }

bool as_good_as_best(const Suggestion& all, std::size_t m) {
  const Standing& standing = all.study.comparison.standings[m];
  if (m == best_method(all) || standing.best) return true;
  // Differences of whole rows are often equal by chance on two splits, hardly on three: then there
  // is no test, and no doubt.
  return standing.measured < 3 || (standing.t.p_holm && *standing.t.p_holm >= 0.05);
}

std::size_t fastest_of_good(const Suggestion& all) {
  const std::size_t best_one = best_method(all);
  const Standing& best = all.study.comparison.standings[best_one];
  // The rule of one standard error (Breiman et al. 1984) takes folds as independent.
  const double error = best.deviation / std::sqrt(static_cast<double>(best.measured));
  std::size_t fastest = best_one;
  for (std::size_t m = 0; m < all.costs.size(); ++m) {
    const double worse = (all.study.comparison.standings[m].mean - best.mean) *
                         (all.study.results.higher_is_better ? -1 : 1);
    if (worse <= error && as_good_as_best(all, m) && all.costs[m] && all.costs[fastest] &&
        all.costs[m]->prediction_seconds < all.costs[fastest]->prediction_seconds)
      fastest = m;
  }
  // Times of one training differ by less than that by chance.
  constexpr double noticeable = 1.5;
  const bool faster =
      fastest != best_one &&
      all.costs[best_one]->prediction_seconds > noticeable * all.costs[fastest]->prediction_seconds;
  return faster ? fastest : best_one;
}

std::string advice(const Suggestion& all, const std::string& trivial) {
  const auto& names = all.study.slots.front().alternatives;
  const std::size_t best = best_method(all), fastest = fastest_of_good(all);
  const Standing& standing = all.study.comparison.standings[best];
  const std::string& metric = all.study.results.metric;
  std::string text = fmt::format("Train {}: ", names[best]);
  if (metric == "error_rate")
    text += fmt::format("{:.2f} % errors", 100 * standing.mean);
  else if (metric == "rmse")
    text += fmt::format("a root mean squared error of {:.4g}", standing.mean);
  else if (in_percent(all))
    text += fmt::format("{} {:.2f} %", metric_words(all), 100 * standing.mean);
  else
    text += fmt::format("{} {:.4g}", metric_words(all), standing.mean);
  text += " on rows that it has not seen" + (trivial.empty() ? "." : ", where " + trivial + ".");
  if (fastest != best) {
    const double times =
        all.costs[best]->prediction_seconds / all.costs[fastest]->prediction_seconds;
    return text +
           fmt::format(" {} is not shown to be worse (by {}{}) and predicts {:.{}f} times as fast.",
                       names[fastest], interval_text(all, all.study.comparison.standings[fastest]),
                       in_percent(all) ? " points" : "", times, times < 10 ? 1 : 0);
  }
  std::size_t others = 0;
  for (std::size_t m = 0; m < names.size(); ++m) others += m != best && as_good_as_best(all, m);
  if (names.size() == 1) return text;
  if (others == 0) return text + " All others are worse.";
  if (others == names.size() - 1) return text + " None of the others is shown to be worse.";
  return text + fmt::format(" {} of the {} others {} not shown to be worse.", others,
                            names.size() - 1, others == 1 ? "is" : "are");
}

std::string false_alarms_text(const Suggestion& all) {
  const std::size_t best = best_method(all);
  const auto share = false_alarms(all, best);
  if (!share) return "";
  double promised = 0, promises = 0;
  for (const VariantRecord& variant : all.study.variants)
    for (const NodeRecord& node : variant.nodes)
      if (variant.choices.front() == best && node.metrics.contains("promised_share"))
        promised += node.metrics["promised_share"].get<double>(), ++promises;
  return fmt::format(
      "{} takes {:.1f} % of the usual rows that it has not seen for novel{}.",
      all.study.slots.front().alternatives[best], 100 * *share,
      promises > 0 ? fmt::format("; {:.1f} % are promised", 100 * promised / promises) : "");
}

std::string suggestion_text(const Suggestion& all) {
  const auto& names = all.study.slots.front().alternatives;
  std::size_t width = 6;
  for (const std::string& name : names) width = std::max(width, name.size());
  const std::size_t figures = std::max<std::size_t>(15, heading(all).size());
  const bool detectors = !all.study.results.further.empty();
  std::string text =
      fmt::format("  {:<{}}  {:>{}}  {:>14}{}  {:>10}  {:>14}  {:>10}\n", "method", width,
                  heading(all), figures, "worse by", detectors ? "  false alarms [%]" : "",
                  "training", "prediction", "model");
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Standing& standing = all.study.comparison.standings[m];
    const auto& cost = all.costs[m];
    text += fmt::format("{:1} {:<{}}  {:>{}}  {:>14}{}  {:>10}  {:>14}  {:>10}\n", mark(all, m),
                        names[m], width, figure_text(all, standing), figures,
                        interval_text(all, standing),
                        detectors ? fmt::format("{:>18.2f}", 100 * *false_alarms(all, m)) : "",
                        cost ? small_seconds_text(cost->train_seconds) : "",
                        cost ? small_seconds_text(cost->prediction_seconds) + "/row" : "",
                        cost ? bytes_text(static_cast<double>(cost->model_bytes)) : "");
  }
  const std::size_t splits = all.study.repeats.size();
  return fmt::format(
      "{}* the best, = not shown to be worse on {} splits ({}paired test, 5 %, corrected for the\n"
      "  number of methods); mean +- standard deviation; worse by: 95 % interval{}, each\n"
      "  by itself, not corrected; times on one thread, from the first split\n",
      text, splits, splits < 3 ? "too few for the " : "", in_percent(all) ? " in points" : "");
}

nlohmann::ordered_json suggestion_json(const Suggestion& all) {
  const auto& names = all.study.slots.front().alternatives;
  nlohmann::ordered_json json = {{"best", names[best_method(all)]},
                                 {"fastest_of_good", names[fastest_of_good(all)]}};
  json["methods"] = nlohmann::ordered_json::array();
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Standing& standing = all.study.comparison.standings[m];
    nlohmann::ordered_json method = {{"name", names[m]},
                                     {all.study.results.metric, standing.mean},
                                     {"deviation", standing.deviation},
                                     {"as_good_as_best", as_good_as_best(all, m)}};
    if (const auto share = false_alarms(all, m)) method["false_alarms"] = *share;
    if (const auto& cost = all.costs[m]) {
      method["train_seconds"] = cost->train_seconds;
      method["prediction_seconds"] = cost->prediction_seconds;
      method["model_bytes"] = cost->model_bytes;
    }
    json["methods"].push_back(std::move(method));
  }
  return json;
}

}  // namespace semblance::cli
