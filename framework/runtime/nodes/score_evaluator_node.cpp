// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <vector>

#include "pipeline/shown_names.hpp"
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/nearest_bases.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/session/node_row_sizes.hpp"
#include "runtime/session/session.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"

namespace semblance {
namespace {

/// The trained node; a calibrator may stand between it and the evaluator.
std::size_t solver_before(const Session& session, std::size_t scoring) {
  const Node& before = session.node(session.facts(scoring).inputs.at(0));
  return before.scoring() ? before.facts().index : scoring;
}

Lineage lineage_of(const Session& session, std::size_t evaluator) {
  const std::size_t solver = solver_before(session, session.facts(evaluator).inputs[0]);
  const NodeFacts& node = session.facts(solver);
  const auto& record = session.run(solver).record;
  Lineage lineage;
  lineage.solver = node.spec->component.id;
  for (const std::size_t width : input_widths(session, solver)) lineage.width += width;
  lineage.train_rows = node.outline->train_rows;
  const auto shown = shown_nodes(*session.graph().pipeline, evaluator);
  for (const ShownNode& named : shown) {
    const NodeFacts& map = session.facts(named.node);
    if (!map.bases) continue;
    lineage.maps.push_back({named.name, map.spec->component.id, map.output.size(),
                            session.facts(map.inputs[0]).output.size(), map.operations,
                            shown_name(shown, map.inputs[0]), shown_name(shown, *map.bases)});
  }
  for (const auto& [name, value] : record.metrics.items())
    if (value.is_number()) lineage.figures[name] = value.get<double>();
  lineage.tables = record.tables;
  return lineage;
}

/// The output of a stage for given rows, computed in blocks.
FloatMatrix computed(const Session& session, const Stage& stage, std::size_t rows,
                     std::size_t cols) {
  FloatMatrix values(rows, cols);
  compute_block(stage, 0, values.view(), step_guard(session));
  return values;
}

/// The scores of made-up rows of the source.
FloatMatrix scores_of_probes(Session& session, std::size_t solver, MatrixView rows,
                             Context& context) {
  FloatMatrix scores(rows.rows, session.facts(solver).output.size());
  context.parallel_for(block_count(rows.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows.rows - first);
    const Stage stage = StageBuilder(session).of_given(solver, rows.rows_range(first, count));
    compute_block(stage, 0, scores.view().rows_range(first, count), step_guard(session));
  });
  return scores;
}

std::vector<std::int32_t> predictions(MatrixView scores) {
  std::vector<std::int32_t> classes(scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) classes[i] = predicted_class(scores.row_span(i));
  return classes;
}

/// Reads `count` rows as the source gives them, from number `first` on.
using RowReader = std::function<FloatMatrix(std::size_t first, std::size_t count)>;

/// The shares of the solver's local models in the predictions for samples with these scores; no
/// rows where it has no local models.
FloatMatrix shares_of(Session& session, std::size_t scoring, MatrixView scores,
                      const RowReader& read, Context& context) {
  const std::size_t solver = solver_before(session, scoring);
  const auto* local = dynamic_cast<const LocalModels*>(session.node(solver).parts.at(0).get());
  if (local == nullptr) return {};
  const std::vector<std::int32_t> classes = predictions(scores);
  FloatMatrix shares(scores.rows, local->local_models());
  context.parallel_for(block_count(scores.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, scores.rows - first);
    const FloatMatrix rows = read(first, count);
    const Stage stage = StageBuilder(session).inputs_of_given(solver, rows.view());
    const FloatMatrix inputs =
        computed(session, stage, count, joined_width(session.facts(solver), session.graph()));
    NodeContext solver_context = session.context(solver);
    session.guard(solver, "assigning local models", [&] {
      local->assign(inputs.view(), std::span(classes).subspan(first, count),
                    shares.view().rows_range(first, count), solver_context);
    });
  });
  return shares;
}

/// The number of the first test sample in the source's data: new data that name no test samples are
/// tested completely.
std::size_t first_test_row(const Outline& outline) {
  return outline.test_rows > 0 ? outline.train_rows : 0;
}

FloatMatrix shares_of_tests(Session& session, std::size_t solver, MatrixView scores,
                            Context& context) {
  const Dataset& data = session.dataset(solver);
  const std::size_t before = first_test_row(data.outline());
  const RowSizes sizes = row_sizes(session, session.facts(solver).spec->origin);
  const RowReader read = [&](std::size_t first, std::size_t count) {
    FloatMatrix rows = sizes.rows(before + first, count);
    data.read(before + first, rows.view());
    return rows;
  };
  return shares_of(session, solver, scores, read, context);
}

FloatMatrix shares_of_probes(Session& session, std::size_t solver, const Scored& test,
                             Context& context) {
  const RowReader read = [&](std::size_t first, std::size_t count) {
    return FloatMatrix(test.probes.rows_range(first, count));
  };
  return shares_of(session, solver, test.probe_scores, read, context);
}

/// Queries the maps before the solver; in the order of Lineage::maps.
std::function<std::vector<NearBasis>(std::size_t, std::size_t)> nearest_bases_of_tests(
    Session& session, std::size_t evaluator) {
  std::vector<std::size_t> maps;
  for (const ShownNode& named : shown_nodes(*session.graph().pipeline, evaluator))
    if (session.facts(named.node).bases) maps.push_back(named.node);
  const std::size_t first = first_test_row(session.dataset(evaluator).outline());
  return [&session, maps = std::move(maps), first](std::size_t test_row, std::size_t count) {
    return nearest_bases(session, maps, first + test_row, count);
  };
}

/// Whether all nodes before this one have learned. Scores may come from the store before that; the
/// solver's report, and its scores of other rows, may not.
bool all_before_have_learned(const Session& session, const NodeFacts& node) {
  std::vector<bool> seen(session.size());
  for (std::vector<std::size_t> left = feeding(node); !left.empty();) {
    const std::size_t before = left.back();
    left.pop_back();
    if (seen[before]) continue;
    seen[before] = true;
    if (session.plan(before).learns() && !session.run(before).ready()) return false;
    const std::vector<std::size_t> further = feeding(session.facts(before));
    left.insert(left.end(), further.begin(), further.end());
  }
  return true;
}

/// Evaluates the scores that a solver has given the test samples.
class ScoreEvaluatorNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    const Node& solver = graph.node(facts().inputs[0]);
    as<Evaluator>().check_scores({solver.name(), solver.facts().spec->component.id,
                                  facts().outline->classes, solver.gives_probabilities()});
  }

  /// It sends rows of its own through the solver or the maps: probes, or rows of the source once
  /// more.
  Demands what_it_demands() const override {
    const auto& evaluator = as<Evaluator>();
    return {.learns_from = RowsOf::testing,
            .learned = Learned::report,
            .sends_rows =
                evaluator.wants_probes() || evaluator.wants_shares() || evaluator.wants_samples()};
  }

  const char* phase() const override { return "evaluating"; }
  std::vector<std::size_t> judged() const override { return facts().inputs; }
  bool opens_data(const Session&) const override { return false; }

  bool can_learn(const Session& session) const override {
    return session.run(facts().inputs[0]).has_rows() && all_before_have_learned(session, facts());
  }

  void learn(Session& session) override {
    RecordingReport report(session.run(facts().index).record);
    const std::size_t solver = facts().inputs[0];
    const auto& evaluator = as<Evaluator>();
    NodeContext context = session.context(facts().index);
    Scored test{semblance::scores_of(session, solver), session.node(solver).scoring()->test_labels,
                facts().outline->classes, lineage_of(session, facts().index)};
    FloatMatrix probes, scores;
    if (evaluator.wants_probes()) {
      test.data = &session.dataset(facts().index);
      probes = evaluator.probes(*test.data, context);
      if (probes.cols != session.facts(facts().spec->origin).output.size())
        throw Error("it wants scores for rows of " + std::to_string(probes.cols) +
                    " values, but the source's rows have " +
                    std::to_string(session.facts(facts().spec->origin).output.size()));
      scores = scores_of_probes(session, solver, std::as_const(probes).view(), context);
      test.probes = std::as_const(probes).view();
      test.probe_scores = std::as_const(scores).view();
    }
    test.probabilities = session.node(solver).gives_probabilities();
    if (evaluator.wants_samples()) {
      test.data = &session.dataset(facts().index);
      test.nearest_bases = nearest_bases_of_tests(session, facts().index);
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
};

}  // namespace

std::unique_ptr<Node> make_score_evaluator_node() { return std::make_unique<ScoreEvaluatorNode>(); }

}  // namespace semblance
