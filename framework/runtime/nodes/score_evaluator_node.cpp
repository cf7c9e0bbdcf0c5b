// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <vector>

#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/explained_tests.hpp"
#include "runtime/nodes/score_origin.hpp"
#include "runtime/session/run_data.hpp"
#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"

namespace semblance {
namespace {

/// The output of a stage for given rows, computed in blocks.
FloatMatrix rows_of_stage(const RunData& data, const Stage& stage, std::size_t rows,
                          std::size_t cols) {
  FloatMatrix values(rows, cols);
  compute_block(stage, 0, values.view(), step_guard(data));
  return values;
}

/// The scores of made-up rows of the source.
FloatMatrix scores_of_probes(RunProgress& progress, RunData& data, std::size_t solver,
                             MatrixView rows, Context& context) {
  FloatMatrix scores(rows.rows, progress.facts(solver).output.size());
  context.parallel_for(block_count(rows.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows.rows - first);
    const Stage stage =
        StageBuilder(progress, data).of_given(solver, rows.rows_range(first, count));
    compute_block(stage, 0, scores.view().rows_range(first, count), step_guard(data));
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
FloatMatrix shares_of(RunProgress& progress, RunData& data, std::size_t scoring, MatrixView scores,
                      const RowReader& read, Context& context) {
  const std::size_t solver = trained_before(progress.graph(), scoring);
  const auto* local = dynamic_cast<const Solver*>(progress.node(solver).parts.at(0).get());
  if (local == nullptr || local->local_models() == 0) return {};
  const std::vector<std::int32_t> classes = predictions(scores);
  FloatMatrix shares(scores.rows, local->local_models());
  context.parallel_for(block_count(scores.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, scores.rows - first);
    const FloatMatrix rows = read(first, count);
    const Stage stage = StageBuilder(progress, data).inputs_of_given(solver, rows.view());
    const FloatMatrix inputs =
        rows_of_stage(data, stage, count, joined_width(progress.facts(solver), progress.graph()));
    NodeContext solver_context = progress.context(solver);
    data.guard(solver, "assigning local models", [&] {
      local->assign(inputs.view(), std::span(classes).subspan(first, count),
                    shares.view().rows_range(first, count), solver_context);
    });
  });
  return shares;
}

FloatMatrix shares_of_tests(RunProgress& progress, RunData& data, std::size_t solver,
                            MatrixView scores, Context& context) {
  const Dataset& dataset = data.dataset(solver);
  const std::size_t before = first_test_row(dataset.outline());
  const RowSizes sizes = row_sizes(progress, data, progress.facts(solver).spec->origin);
  const RowReader read = [&](std::size_t first, std::size_t count) {
    FloatMatrix rows = sizes.rows(before + first, count);
    dataset.read(before + first, rows.view());
    return rows;
  };
  return shares_of(progress, data, solver, scores, read, context);
}

FloatMatrix shares_of_probes(RunProgress& progress, RunData& data, std::size_t solver,
                             const Scored& test, Context& context) {
  const RowReader read = [&](std::size_t first, std::size_t count) {
    return FloatMatrix(test.probes.rows_range(first, count));
  };
  return shares_of(progress, data, solver, test.probe_scores, read, context);
}

/// Evaluates the scores that a solver has given the test samples.
class ScoreEvaluatorNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    const Node& solver = graph.node(facts().inputs[0]);
    as<Evaluator>().check_scores({solver.name(), solver.facts().spec->component.id,
                                  facts().outline->classes, solver.facts().gives_probabilities,
                                  solver.facts().gives_sets});
    const auto& evaluator = as<Evaluator>();
    // It sends rows of its own through the solver or the maps: probes, or rows of the source once
    // more.
    facts().demands = {.learns_from = RowsOf::testing,
                       .learned = Learned::report,
                       .sends_rows = evaluator.wants_probes() || evaluator.wants_shares() ||
                                     evaluator.wants_samples() || evaluator.wants_explanations()};
    facts().phase = "evaluating";
    facts().judged = facts().inputs;
  }

  bool can_learn(const RunProgress& progress) const override {
    return progress.run(facts().inputs[0]).has_rows() && all_before_have_learned(progress, facts());
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    const std::size_t solver = facts().inputs[0];
    const auto& evaluator = as<Evaluator>();
    NodeContext context = progress.context(facts().index);
    Scored test{semblance::scores_of(progress, solver),
                progress.node(solver).scoring()->test_labels, facts().outline->classes,
                lineage_of(progress, facts().index)};
    FloatMatrix probes, scores;
    if (evaluator.wants_probes()) {
      test.data = &data.dataset(facts().index);
      probes = evaluator.probes(*test.data, context);
      if (probes.cols != progress.facts(facts().spec->origin).output.size())
        throw Error("it wants scores for rows of " + std::to_string(probes.cols) +
                    " values, but the source's rows have " +
                    std::to_string(progress.facts(facts().spec->origin).output.size()));
      scores = scores_of_probes(progress, data, solver, std::as_const(probes).view(), context);
      test.probes = std::as_const(probes).view();
      test.probe_scores = std::as_const(scores).view();
      test.compared = compared_samples(progress, facts().index);
    }
    test.probabilities = progress.facts(solver).gives_probabilities;
    test.sets = progress.facts(solver).gives_sets;
    if (evaluator.wants_samples()) {
      test.data = &data.dataset(facts().index);
      test.nearest_bases = nearest_bases_of_tests(progress, data, facts().index);
    }
    if (evaluator.wants_explanations()) {
      test.data = &data.dataset(facts().index);
      test.new_data = progress.facts(facts().spec->origin).new_data;
      test.explain = [&](std::span<const std::size_t> rows, std::size_t background) {
        return explained_tests(progress, data, solver, {}, rows, background);
      };
    }
    FloatMatrix shares, probe_shares;
    if (evaluator.wants_shares()) {
      shares = shares_of_tests(progress, data, solver, test.scores, context);
      probe_shares = shares_of_probes(progress, data, solver, test, context);
      test.shares = std::as_const(shares).view();
      test.probe_shares = std::as_const(probe_shares).view();
    }
    evaluator.evaluate(test, report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_score_evaluator_node() { return std::make_unique<ScoreEvaluatorNode>(); }

}  // namespace semblance
