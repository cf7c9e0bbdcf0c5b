// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <vector>

#include "pipeline/shown_names.hpp"
#include "report/metrics.hpp"
#include "runtime/explain/explained_rows.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/nodes/score_origin.hpp"
#include "runtime/nodes/training_sets.hpp"
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
                             const Results& test, Context& context) {
  const RowReader read = [&](std::size_t first, std::size_t count) {
    return FloatMatrix(test.probes.rows_range(first, count));
  };
  return shares_of(progress, data, solver, test.probe_scores, read, context);
}

/// Judges what a solver or calibrator gives the test samples or pairs, or training samples.
class EvaluatorNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    const auto& evaluator = as<Evaluator>();
    type_ = graph.node(from()).facts().spec->info().output->type;
    for (const std::size_t in : facts().inputs) {
      const NodeFacts& before = graph.facts(in);
      evaluator.check_scores({before.name(), before.spec->component.id, facts().outline->classes,
                              before.gives_probabilities, before.gives_sets, type_});
    }
    // It sends rows of its own through the solver or the maps: probes, or rows of the source once
    // more.
    facts().demands = {.learns_from = type_ == PortType::samples       ? RowsOf::training
                                      : type_ == PortType::pair_scores ? RowsOf::none
                                                                       : RowsOf::testing,
                       .learned = Learned::report,
                       .sends_rows = !evaluator.needs().rows_alone()};
    facts().phase = "evaluating";
    if (type_ != PortType::samples) facts().judged = facts().inputs;
  }

  bool can_learn(const RunProgress& progress) const override {
    if (type_ == PortType::samples) return can_visit(progress, from());
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return progress.run(in).has_rows(); }) &&
           (type_ == PortType::pair_scores || all_before_have_learned(progress, facts()));
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    NodeContext context = progress.context(facts().index);
    if (type_ == PortType::samples)
      judge_samples(progress, data, report, context);
    else if (type_ == PortType::pair_scores)
      judge_pairs(progress, report, context);
    else
      judge_outputs(progress, data, report, context);
  }

  std::size_t from() const { return facts().inputs[0]; }

  void judge_samples(RunProgress& progress, RunData& data, Report& report, Context& context) const {
    const auto rows = training_rows(progress, data, from());
    const TrainingSet training = training_set(progress.graph(), data, from(), *rows);
    as<Evaluator>().evaluate({.type = type_, .training = &training}, report, context);
  }

  void judge_pairs(const RunProgress& progress, Report& report, Context& context) const {
    const auto shown = shown_nodes(*progress.graph().pipeline, facts().index);
    std::vector<ScoredPairs> tests;
    for (const std::size_t in : facts().inputs) {
      const ScoringNode& solver = *progress.node(in).scoring();
      const PairSet& pairs = *solver.tested_pairs();
      if (pairs.size() == 0)
        throw Error("there are no test pairs to evaluate; '" +
                    progress.facts(*solver.facts().pairs).name() + "' gives none");
      // One column of consecutive rows.
      const MatrixView scores = semblance::scores_of(progress, in);
      tests.push_back(
          {shown_name(shown, in), {scores.row(0), scores.rows}, pairs, solver.test_labels});
    }
    as<Evaluator>().evaluate({.type = type_, .pairs = tests}, report, context);
  }

  /// Explains the results for these test samples; of a calibrator, those of the solver before it.
  std::vector<Explanation> explained(RunProgress& progress, RunData& data,
                                     std::span<const std::size_t> test_rows, std::size_t background,
                                     std::size_t target) const {
    const std::size_t machine = machine_before(progress.graph(), from());
    const std::size_t first = first_test_row(data.dataset(machine).outline());
    std::vector<std::size_t> positions;
    for (const std::size_t row : test_rows) positions.push_back(first + row);
    ExplainOptions options;
    if (type_ == PortType::estimates || type_ == PortType::intervals)
      options.target = facts().outline->targets.at(target);
    std::vector<Explanation> made =
        explained_rows(progress, data, machine, options, positions, background);
    for (Explanation& each : made)
      for (ExampleTerm& term : each.examples) term.map = name_shown(progress, term.map);
    return made;
  }

  /// Nodes of a study's variants that are the same have one name there; this pipeline has its own.
  std::string name_shown(const RunProgress& progress, const std::string& name) const {
    for (const ShownNode& node : shown_nodes(*progress.graph().pipeline, facts().index))
      if (progress.facts(node.node).name() == name) return node.name;
    throw Error("internal error: the result does not depend on the name '" + name + "'");
  }

  void judge_outputs(RunProgress& progress, RunData& data, Report& report,
                     NodeContext& context) const {
    // The held-out rows of all folds are judged together later, which warns of what is amiss.
    const Needs needs = as<Evaluator>().needs();
    const NodeFacts& source = progress.facts(facts().spec->origin);
    if (source.spec->fold.count > 1 && needs.rows_alone()) context.log_no_warnings();
    const ScoringNode& scored = *progress.node(from()).scoring();
    Results test = results_of(progress, facts().index, semblance::scores_of(progress, from()),
                              scored.test_labels, scored.test_targets, scored.test_groups);
    test.lineage = lineage_of(progress, facts().index);
    test.new_data = source.new_data;
    if (type_ == PortType::estimates && !test.new_data)
      test.training_targets = data.training_targets(facts().index);
    if (!needs.rows_alone()) test.data = &data.dataset(facts().index);
    if (needs.samples) test.nearest_bases = nearest_bases_of_tests(progress, data, facts().index);
    if (needs.explanations)
      test.explain = [&](std::span<const std::size_t> rows, std::size_t background,
                         std::size_t target) {
        return explained(progress, data, rows, background, target);
      };
    judge_with_probes(needs, std::move(test), progress, data, report, context);
  }

  void judge_with_probes(const Needs& needs, Results test, RunProgress& progress, RunData& data,
                         Report& report, Context& context) const {
    FloatMatrix probes, scores, shares, probe_shares;
    if (needs.probes) {
      probes = as<Evaluator>().probes(*test.data, context);
      if (probes.cols != progress.facts(facts().spec->origin).output.size())
        throw Error("it wants scores for rows of " + std::to_string(probes.cols) +
                    " values, but the source's rows have " +
                    std::to_string(progress.facts(facts().spec->origin).output.size()));
      scores = scores_of_probes(progress, data, from(), std::as_const(probes).view(), context);
      test.probes = std::as_const(probes).view();
      test.probe_scores = std::as_const(scores).view();
      test.compared = compared_samples(progress, facts().index);
    }
    if (needs.shares) {
      shares = shares_of_tests(progress, data, from(), test.outputs, context);
      probe_shares = shares_of_probes(progress, data, from(), test, context);
      test.shares = std::as_const(shares).view();
      test.probe_shares = std::as_const(probe_shares).view();
    }
    as<Evaluator>().evaluate(test, report, context);
  }

  PortType type_ = PortType::scores;
};

}  // namespace

std::unique_ptr<Node> make_evaluator_node() { return std::make_unique<EvaluatorNode>(); }

}  // namespace semblance
