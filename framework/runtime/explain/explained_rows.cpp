// SPDX-License-Identifier: MIT
#include "runtime/explain/explained_rows.hpp"

#include <string>

#include "runtime/explain/given_samples.hpp"

namespace semblance {
namespace {

/// Empty: it is not known.
std::string class_of(const ExampleTerm& term, const Dataset& data) {
  if (!term.row) return "";
  const auto position = static_cast<std::size_t>(*term.row);
  const auto labels = data.labels();
  const auto& classes = data.outline().classes;
  const std::int32_t label = position < labels.size() ? labels[position] : -1;
  return label < 0 || classes.empty() ? "" : classes.at(static_cast<std::size_t>(label));
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
    for (ExampleTerm& term : each.examples)
      if (term.of_class.empty()) term.of_class = class_of(term, dataset);
  return made;
}

}  // namespace semblance
