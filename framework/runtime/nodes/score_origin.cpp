// SPDX-License-Identifier: MIT
#include "runtime/nodes/score_origin.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pipeline/shown_names.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "semblance/decision_values.hpp"

namespace semblance {
namespace {

FloatMatrix source_row(RunProgress& progress, RunData& data, std::size_t map, std::size_t row) {
  const RowSizes sizes = row_sizes(progress, data, progress.facts(map).spec->origin);
  FloatMatrix values = sizes.rows(row, 1);
  data.dataset(map).read(row, values.view());
  return values;
}

/// The positions of the largest similarities. A NaN is similar to nothing.
std::vector<std::size_t> largest(std::span<const float> similarities, std::size_t count) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < similarities.size(); ++k)
    if (!std::isnan(similarities[k])) places.push_back(k);
  const std::size_t kept = std::min(count, places.size());
  const auto before = [&](std::size_t a, std::size_t b) {
    return similarities[a] > similarities[b] || (similarities[a] == similarities[b] && a < b);
  };
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept), before);
  places.resize(kept);
  return places;
}

/// For each of these maps, the `count` bases most similar to a sample, in descending order; ties go
/// to the first. The rows of the sample are recomputed. Empty where a model is applied
/// to new data, which lack the bases' samples.
std::vector<NearBasis> nearest_bases(RunProgress& progress, RunData& data,
                                     const std::vector<std::size_t>& maps, std::size_t row,
                                     std::size_t count) {
  std::vector<NearBasis> nearest;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const NodeFacts& map = progress.facts(maps[m]);
    if (progress.facts(map.spec->origin).new_data) continue;
    const FloatMatrix sample = source_row(progress, data, maps[m], row);
    const Stage stage = StageBuilder(progress, data).of_given(maps[m], sample.view());
    FloatMatrix similarities(1, map.output.size());
    compute_block(stage, 0, similarities.view(), step_guard(data));
    const auto chosen = progress.node(*map.bases).chosen_rows();
    if (chosen.size() != similarities.cols)
      throw Error("internal error: the bases of '" + map.name() + "' are not at hand");
    const auto values = std::as_const(similarities).view().row_span(0);
    for (const std::size_t place : largest(values, count))
      nearest.push_back({m, static_cast<std::size_t>(chosen[place]), values[place]});
  }
  return nearest;
}

}  // namespace

std::size_t trained_before(const Compilation& graph, std::size_t scoring) {
  const Node& before = graph.node(graph.facts(scoring).inputs.at(0));
  return before.scoring() ? before.facts().index : scoring;
}

Lineage lineage_of(const RunProgress& progress, std::size_t evaluator) {
  const std::size_t solver = trained_before(progress.graph(), progress.facts(evaluator).inputs[0]);
  const NodeFacts& node = progress.facts(solver);
  const auto& record = progress.run(solver).record;
  Lineage lineage;
  lineage.solver = node.spec->component.id;
  for (const std::size_t width : input_widths(progress.graph(), solver)) lineage.width += width;
  lineage.train_rows = node.outline->train_rows;
  const auto shown = shown_nodes(*progress.graph().pipeline, evaluator);
  for (const ShownNode& named : shown) {
    const NodeFacts& map = progress.facts(named.node);
    if (!map.bases) continue;
    lineage.maps.push_back({named.name, map.spec->component.id, map.output.size(),
                            progress.facts(map.inputs[0]).output.size(), map.operations,
                            shown_name(shown, map.inputs[0]), shown_name(shown, *map.bases)});
  }
  for (const auto& [name, value] : record.metrics.items())
    if (value.is_number()) lineage.figures[name] = value.get<double>();
  lineage.tables = record.tables;
  return lineage;
}

Results results_of(const RunProgress& progress, std::size_t evaluator, MatrixView outputs,
                   std::span<const std::int32_t> labels, std::span<const double> targets,
                   std::span<const std::int32_t> groups) {
  const NodeFacts& judged = progress.facts(progress.facts(evaluator).judged[0]);
  const Outline& outline = *progress.facts(evaluator).outline;
  Results test{outputs, labels, outline.classes};
  test.type = judged.spec->info().output->type;
  test.probabilities = judged.gives_probabilities;
  test.sets = judged.gives_sets;
  test.normal_quantile = judged.normal_quantile;
  test.targets = targets;
  test.target_names = outline.targets;
  test.groups = groups;
  return test;
}

std::size_t first_test_row(const Outline& outline) {
  return outline.test_rows > 0 ? outline.train_rows : 0;
}

std::function<std::vector<NearBasis>(std::size_t, std::size_t)> nearest_bases_of_tests(
    RunProgress& progress, RunData& data, std::size_t evaluator) {
  std::vector<std::size_t> maps;
  for (const ShownNode& named : shown_nodes(*progress.graph().pipeline, evaluator))
    if (progress.facts(named.node).bases) maps.push_back(named.node);
  const std::size_t first = first_test_row(data.dataset(evaluator).outline());
  return
      [&progress, &data, maps = std::move(maps), first](std::size_t test_row, std::size_t count) {
        return nearest_bases(progress, data, maps, first + test_row, count);
      };
}

std::vector<ComparedSample> compared_samples(const RunProgress& progress, std::size_t evaluator) {
  const NodeFacts& node = progress.facts(evaluator);
  if (progress.facts(node.spec->origin).new_data) return {};
  using enum ComparedSample::As;
  std::map<std::size_t, ComparedSample::As> found;
  const std::size_t solver = trained_before(progress.graph(), node.inputs[0]);
  if (const auto* machine =
          dynamic_cast<const DecisionValues*>(progress.node(solver).parts.at(0).get())) {
    const auto rows = machine->vector_rows();
    const auto roles = machine->vector_roles();
    for (std::size_t v = 0; v < std::min(rows.size(), roles.size()); ++v)
      if (roles[v] != VectorRole::none)
        found[rows[v]] = roles[v] == VectorRole::bound ? bounded_vector : margin_vector;
  } else {
    for (const ShownNode& named : shown_nodes(*progress.graph().pipeline, evaluator))
      if (const auto& bases = progress.facts(named.node).bases)
        for (const std::int64_t row : progress.node(*bases).chosen_rows())
          found[static_cast<std::size_t>(row)] = basis;
  }
  std::vector<ComparedSample> compared;
  for (const auto& [row, as] : found)
    if (row < node.outline->train_rows) compared.push_back({row, as});
  return compared;
}

bool all_before_have_learned(const RunProgress& progress, const NodeFacts& node) {
  std::vector<bool> seen(progress.size());
  for (std::vector<std::size_t> left = feeding(node); !left.empty();) {
    const std::size_t before = left.back();
    left.pop_back();
    if (seen[before]) continue;
    seen[before] = true;
    if (progress.plan(before).learns() && !progress.run(before).ready()) return false;
    const std::vector<std::size_t> further = feeding(progress.facts(before));
    left.insert(left.end(), further.begin(), further.end());
  }
  return true;
}

}  // namespace semblance
