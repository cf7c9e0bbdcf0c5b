// SPDX-License-Identifier: MIT
#include "runtime/judging.hpp"

#include <algorithm>
#include <functional>

#include "pipeline/shown_names.hpp"
#include "runtime/pair_learning.hpp"
#include "runtime/training_sets.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance {
namespace {

Lineage lineage_of(const Session& session, std::size_t evaluator) {
  const std::size_t solver = session.node(evaluator).inputs[0];
  const auto& node = session.node(solver);
  const auto& record = session.runs[solver]->record;
  Lineage lineage;
  lineage.solver = node.spec->component.id;
  for (const std::size_t width : input_widths(session, solver)) lineage.width += width;
  lineage.train_rows = node.outline->train_rows;
  const auto shown = shown_nodes(*session.compilation.pipeline, evaluator);
  for (const ShownNode& named : shown) {
    const auto& map = session.node(named.node);
    if (map.kind != NodeKind::similarity) continue;
    lineage.maps.push_back({named.name, map.spec->component.id, map.output.size(),
                            session.node(map.inputs[0]).output.size(), map.operations,
                            shown_name(shown, map.inputs[0]), shown_name(shown, *map.bases)});
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

/// What the solver is given of rows that its source might have given.
FloatMatrix inputs_of(Session& session, std::size_t solver, MatrixView source_rows) {
  std::vector<FloatMatrix> inputs;
  std::vector<MatrixView> views;
  for (const std::size_t input : session.node(solver).inputs)
    inputs.push_back(values_of(session, input, source_rows));
  for (const auto& input : inputs) views.push_back(input.view());
  return joined_rows(views);
}

std::vector<std::int32_t> predictions(MatrixView scores) {
  std::vector<std::int32_t> classes(scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) classes[i] = predicted_class(scores.row_span(i));
  return classes;
}

/// Fills some rows as the source gives them, from number `first` on.
using RowReader = std::function<void(std::size_t first, MutableMatrixView rows)>;

/// The shares of the solver's local models in the predictions for rows that have these scores;
/// no rows where it has no local models.
FloatMatrix shares_of(Session& session, std::size_t solver, MatrixView scores,
                      const RowReader& read, Context& context) {
  const auto* local = dynamic_cast<const LocalModels*>(session.node(solver).parts.at(0).get());
  if (local == nullptr) return {};
  const std::size_t width = session.node(session.node(solver).spec->origin).output.size();
  const std::vector<std::int32_t> classes = predictions(scores);
  FloatMatrix shares(scores.rows, local->local_models());
  context.parallel_for(block_count(scores.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, scores.rows - first);
    FloatMatrix rows(count, width);
    read(first, rows.view());
    const FloatMatrix inputs = inputs_of(session, solver, std::as_const(rows).view());
    NodeContext solver_context = session.context(solver);
    session.guard(solver, "assigning local models", [&] {
      local->assign(inputs.view(), std::span(classes).subspan(first, count),
                    shares.view().rows_range(first, count), solver_context);
    });
  });
  return shares;
}

FloatMatrix shares_of_tests(Session& session, std::size_t solver, MatrixView scores,
                            Context& context) {
  const Dataset& data = session.dataset(solver);
  const Outline& outline = data.outline();
  const std::size_t before = outline.test_rows > 0 ? outline.train_rows : 0;
  const RowReader read = [&](std::size_t first, MutableMatrixView rows) {
    data.read(before + first, rows);
  };
  return shares_of(session, solver, scores, read, context);
}

FloatMatrix shares_of_probes(Session& session, std::size_t solver, const Scored& test,
                             Context& context) {
  const RowReader read = [&](std::size_t first, MutableMatrixView rows) {
    for (std::size_t i = 0; i < rows.rows; ++i)
      std::copy_n(test.probes.row(first + i), rows.cols, rows.row(i));
  };
  return shares_of(session, solver, test.probe_scores, read, context);
}

void judge_scores(Session& session, std::size_t i, Report& report) {
  const auto& node = session.node(i);
  const std::size_t solver = node.inputs[0];
  const auto& scored = *session.runs[solver];
  const auto& evaluator = node.as<Evaluator>();
  NodeContext context = session.context(i);
  Scored test{scored.rows->view(0, scored.rows->rows()), scored.test_labels, node.outline->classes,
              lineage_of(session, i)};
  FloatMatrix probes, scores;
  if (evaluator.wants_probes()) {
    test.data = &session.dataset(i);
    probes = evaluator.probes(*test.data, context);
    if (probes.cols != session.node(node.spec->origin).output.size())
      throw Error("it wants scores for rows of " + std::to_string(probes.cols) +
                  " values, but the source's rows have " +
                  std::to_string(session.node(node.spec->origin).output.size()));
    scores = scores_of(session, solver, std::as_const(probes).view(), context);
    test.probes = std::as_const(probes).view();
    test.probe_scores = std::as_const(scores).view();
  }
  FloatMatrix shares, probe_shares;
  if (evaluator.wants_shares()) {
    shares = shares_of_tests(session, solver, test.scores, context);
    probe_shares = shares_of_probes(session, solver, test, context);
    test.shares = std::as_const(shares).view();
    test.probe_shares = std::as_const(probe_shares).view();
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
