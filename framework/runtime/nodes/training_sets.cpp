// SPDX-License-Identifier: MIT
#include "runtime/nodes/training_sets.hpp"

#include "pipeline/shown_names.hpp"

namespace semblance {

TrainingSet training_set(const Compilation& graph, RunData& data, std::size_t i, const Rows& rows) {
  const NodeFacts& node = graph.facts(i);
  TrainingSet set{rows, node.output, data.training_labels(i), node.outline->classes};
  set.targets = data.training_targets(i);
  set.target_names = node.outline->targets;
  set.row_numbers = data.row_numbers(i);
  if (node.gives_columns_of_source && node.outline->columns.size() == node.output.size())
    set.columns = node.outline->columns;
  if (node.bases) set.bases = graph.node(*node.bases).chosen_rows();
  return set;
}

std::span<const std::int64_t> numbers_of_rows(const Compilation& graph, RunData& data,
                                              std::size_t i, std::vector<std::int64_t>& columns) {
  const NodeFacts& node = graph.facts(i);
  if (!node.columns_are_bases) return data.row_numbers(i);
  const auto bases = graph.node(*graph.facts(node.inputs[0]).bases).chosen_rows();
  columns.resize(bases.size());
  for (std::size_t j = 0; j < bases.size(); ++j)
    columns.at(static_cast<std::size_t>(bases[j])) = static_cast<std::int64_t>(j);
  return columns;
}

std::vector<std::size_t> input_widths(const Compilation& graph, std::size_t i) {
  std::vector<std::size_t> widths;
  for (const std::size_t input : graph.facts(i).inputs)
    widths.push_back(graph.facts(input).output.size());
  return widths;
}

std::vector<std::string> input_names(const Compilation& graph, std::size_t i) {
  const auto shown = shown_nodes(*graph.pipeline, i);
  std::vector<std::string> names;
  if (shown.empty()) return names;
  for (const std::size_t input : graph.facts(i).inputs) names.push_back(shown_name(shown, input));
  return names;
}

}  // namespace semblance
