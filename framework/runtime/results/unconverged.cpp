// SPDX-License-Identifier: MIT
#include "runtime/results/unconverged.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semblance/solver.hpp"

namespace semblance {
namespace {

/// The remaining gap, and the solver's figure that shows it.
struct Remainder {
  std::string figure;
  double value = 0;
};

std::optional<Remainder> remainder_of(const NodeRecord& record) {
  for (const char* figure : {"duality_gap", "violation", "gradient_norm"})
    if (const auto found = record.metrics.find(figure);
        found != record.metrics.end() && found->is_number())
      return Remainder{figure, found->get<double>()};
  return std::nullopt;
}

/// The trainings of one node of the original pipeline.
struct Trainings {
  std::size_t count = 0;
  std::size_t unconverged = 0;
  const NodeRecord* worst = nullptr;
  std::optional<Remainder> remainder = {};

  void add(const NodeRecord& record) {
    ++count;
    const auto certificate = record.metrics.find("certificate");
    if (certificate == record.metrics.end() || *certificate != name(Certificate::iteration_limit))
      return;
    const auto left = remainder_of(record);
    const bool worse = left && (!remainder || std::abs(left->value) > std::abs(remainder->value));
    if (unconverged++ > 0 && !worse) return;
    worst = &record;
    remainder = left;
  }
};

std::string figure_words(std::string figure) {
  for (char& c : figure)
    if (c == '_') c = ' ';
  return figure;
}

/// The solver's own advice, or what its parameters allow.
std::string remedy(const PipelineNode& node, const NodeRecord& record) {
  if (const auto own = record.metrics.find("remedy"); own != record.metrics.end())
    return own->get<std::string>();
  std::vector<std::string> steps;
  for (const char* limit : {"max_iterations", "iterations"})
    if (node.info().parameter(limit)) steps.push_back(std::string("raise ") + limit);
  if (node.info().parameter("C")) steps.emplace_back("lower C");
  steps.emplace_back("scale its input (normalizer/zscore)");
  std::string text = steps.front();
  for (std::size_t i = 1; i < steps.size(); ++i)
    text += (i + 1 == steps.size() ? " or " : ", ") + steps[i];
  return text;
}

std::string text_of(const std::string& name, const PipelineNode& node, const Trainings& trainings) {
  const bool several = trainings.count > 1;
  std::string text = name + ": ";
  text += several ? fmt::format("{} of {} trainings ended", trainings.unconverged, trainings.count)
                  : "ended";
  text += " at the iteration limit without converging";
  if (const auto& left = trainings.remainder)
    text += fmt::format(", with a {} of {}{:.3g}", figure_words(left->figure),
                        several ? "up to " : "", left->value);
  if (several) text += " ('" + trainings.worst->name + "')";
  return text + "; " + remedy(node, *trainings.worst);
}

/// A node's name in the original pipeline: merged graphs and folds append theirs.
std::string name_as_written(const std::string& name) {
  return name.substr(0, name.find_first_of("[#"));
}

}  // namespace

void warn_of_unconverged(RunProgress& progress) {
  if (!progress.ranks().first()) return;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  std::vector<std::pair<std::size_t, Trainings>> machines;  // by their first node, in its order
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const PipelineNode& node = *progress.facts(i).spec;
    if (!progress.node(i).scoring() || !progress.run(i).ready()) continue;
    const auto [place, fresh] =
        known.emplace(std::pair(name_as_written(node.name), node.component.id), machines.size());
    if (fresh) machines.emplace_back(i, Trainings{});
    machines[place->second].second.add(progress.run(i).record);
  }
  for (const auto& [first, trainings] : machines)
    if (trainings.unconverged > 0)
      progress.journal().log(LogLevel::warning,
                             text_of(name_as_written(progress.facts(first).spec->name),
                                     *progress.facts(first).spec, trainings));
}

}  // namespace semblance
