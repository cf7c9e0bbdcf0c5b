// SPDX-License-Identifier: MIT
#include "runtime/judging.hpp"

#include <algorithm>
#include <set>

#include "runtime/pair_learning.hpp"
#include "runtime/training_sets.hpp"

namespace semblance {
namespace {

void add_ancestors(const Session& session, std::size_t i, std::set<std::size_t>& found) {
  for (const std::size_t input : session.node(i).inputs)
    if (found.insert(input).second) add_ancestors(session, input, found);
}

Lineage lineage_of(const Session& session, std::size_t solver) {
  const auto& node = session.node(solver);
  const auto& record = session.runs[solver]->record;
  Lineage lineage;
  lineage.solver = node.spec->component.id;
  for (const std::size_t width : input_widths(session, solver)) lineage.width += width;
  lineage.train_rows = node.outline->train_rows;
  std::set<std::size_t> ancestors;
  add_ancestors(session, solver, ancestors);
  for (const std::size_t a : ancestors) {
    const auto& map = session.node(a);
    if (map.kind != NodeKind::similarity) continue;
    const auto& samples = session.node(map.inputs[0]);
    lineage.maps.push_back({map.name(), map.spec->component.id, map.output.size(),
                            samples.output.size(), map.operations, samples.name(),
                            session.node(*map.bases).name()});
  }
  for (const auto& [name, value] : record.metrics.items())
    if (value.is_number()) lineage.figures[name] = value.get<double>();
  lineage.tables = record.tables;
  return lineage;
}

/// The values of node i for rows that its source might have given.
FloatMatrix values_of(Session& session, std::size_t i, MatrixView source_rows) {
  const auto& node = session.node(i);
  if (node.kind == NodeKind::source) return FloatMatrix(source_rows);
  std::vector<FloatMatrix> inputs;
  std::vector<MatrixView> views;
  for (const std::size_t input : node.inputs)
    inputs.push_back(values_of(session, input, source_rows));
  for (const auto& input : inputs) views.push_back(input.view());
  FloatMatrix values(source_rows.rows, node.output.size());
  session.guard(i, "computing rows", [&] { session.compute(i, 0, views, values.view()); });
  return values;
}

FloatMatrix scores_of(Session& session, std::size_t solver, MatrixView rows, Context& context) {
  FloatMatrix scores(rows.rows, session.node(solver).output.size());
  context.parallel_for(block_count(rows.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows.rows - first);
    const FloatMatrix block = values_of(session, solver, rows.rows_range(first, count));
    for (std::size_t r = 0; r < count; ++r)
      std::copy_n(block.view().row(r), scores.cols, scores.view().row(first + r));
  });
  return scores;
}

void judge_scores(Session& session, std::size_t i, Report& report) {
  const auto& node = session.node(i);
  const std::size_t solver = node.inputs[0];
  const auto& scored = *session.runs[solver];
  const auto& evaluator = node.as<Evaluator>();
  NodeContext context = session.context(i);
  Scored test{scored.rows->view(0, scored.rows->rows()), scored.test_labels, node.outline->classes,
              lineage_of(session, solver)};
  FloatMatrix probes, scores;
  if (evaluator.wants_probes()) {
    test.data = &session.dataset(i);
    probes = evaluator.probes(*test.data, context);
    if (probes.cols != session.node(node.spec->origin).output.size())
      throw Error("it asks for scores of rows of " + std::to_string(probes.cols) +
                  " values, but the source's rows have " +
                  std::to_string(session.node(node.spec->origin).output.size()));
    scores = scores_of(session, solver, std::as_const(probes).view(), context);
    test.probes = std::as_const(probes).view();
    test.probe_scores = std::as_const(scores).view();
  }
  evaluator.evaluate(test, report, context);
}

}  // namespace

void judge(Session& session, std::size_t i, Report& report) {
  const auto& node = session.node(i);
  if (node.judges_pairs()) return judge_pairs(session, i, report);
  if (!node.judges_samples()) return judge_scores(session, i, report);
  const std::size_t input = node.inputs[0];
  const auto rows = training_rows(session, input);
  NodeContext context = session.context(i);
  node.as<SampleEvaluator>().evaluate(training_set(session, input, *rows), report, context);
}

}  // namespace semblance
