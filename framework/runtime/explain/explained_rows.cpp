// SPDX-License-Identifier: MIT
#include "runtime/explain/explained_rows.hpp"

#include "runtime/explain/given_samples.hpp"

namespace semblance {
namespace {

/// Adds what the data say about an example: its number, its name and its class.
void name_example(const Dataset& data, ExampleTerm& term) {
  if (!term.row || static_cast<std::size_t>(*term.row) >= data.outline().train_rows) return;
  const auto position = static_cast<std::size_t>(*term.row);
  term.number = data.number(position);
  term.name = data.name(position);
  const auto labels = data.labels();
  const auto& classes = data.outline().classes;
  if (term.of_class.empty() && position < labels.size() && labels[position] >= 0 &&
      !classes.empty())
    term.of_class = classes.at(static_cast<std::size_t>(labels[position]));
}

}  // namespace

std::vector<Explanation> explained_rows(RunProgress& progress, RunData& data, std::size_t machine,
                                        const ExplainOptions& options,
                                        std::span<const std::size_t> positions,
                                        std::size_t background, const FloatMatrix* own) {
  const NodeFacts& node = progress.facts(machine);
  const Dataset& dataset = data.dataset(machine);
  const FloatMatrix rows = samples_at(dataset, positions);
  FloatMatrix compared;
  if (!own) {
    compared =
        samples_at(dataset, background_samples(dataset.outline(), background, node.spec->seed));
    own = &compared;
  }
  std::vector<Explanation> made =
      Explainer(progress, data, machine, options, rows.view(), own->view()).explain();
  // Training samples are known where the model is applied to the data of its own run.
  if (progress.facts(node.spec->origin).new_data) return made;
  for (Explanation& each : made)
    for (ExampleTerm& term : each.examples) name_example(dataset, term);
  return made;
}

}  // namespace semblance
