// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <vector>

#include "report/metrics.hpp"
#include "runtime/explain/explained_rows.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
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

/// Judges what a solver or calibrator has given the test samples.
class EvaluatorNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    const auto& evaluator = as<Evaluator>();
    const Node& solver = graph.node(facts().inputs[0]);
    gives_ = solver.facts().spec->info().output->type;
    evaluator.check_scores({solver.name(), solver.facts().spec->component.id,
                            facts().outline->classes, solver.facts().gives_probabilities,
                            solver.facts().gives_sets, gives_});
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
    NodeContext context = progress.context(facts().index);
    // The held-out rows of all folds are judged together later, which warns of what is amiss.
    const Fold& fold = progress.facts(facts().spec->origin).spec->fold;
    if (fold.count > 1 && !fold.repeat && judges_rows_alone(as<Evaluator>()))
      context.log_no_warnings();
    const MatrixView given = semblance::scores_of(progress, solver());
    const std::vector<double>& targets = progress.node(solver()).scoring()->test_targets;
    const Lineage lineage = lineage_of(progress, facts().index);
    if (gives_ == PortType::intervals)
      as<Evaluator>().evaluate_intervals({given, targets, facts().outline->targets, lineage},
                                         report, context);
    else if (gives_ == PortType::estimates)
      judge_estimates({given, targets, facts().outline->targets, lineage}, progress, data, report,
                      context);
    else
      judge_scores({given, progress.node(solver()).scoring()->test_labels, facts().outline->classes,
                    lineage},
                   progress, data, report, context);
  }

  std::size_t solver() const { return facts().inputs[0]; }

  bool has_new_data(const RunProgress& progress) const {
    return progress.facts(facts().spec->origin).new_data;
  }

  /// What an evaluator of scores or estimates reads of the test samples.
  template <class Test>
  void add_samples(Test& test, RunProgress& progress, RunData& data) const {
    const bool samples = as<Evaluator>().wants_samples();
    if (!samples && !as<Evaluator>().wants_explanations()) return;
    test.data = &data.dataset(facts().index);
    test.new_data = has_new_data(progress);
    if (samples) test.nearest_bases = nearest_bases_of_tests(progress, data, facts().index);
  }

  /// Explains the results for these test samples; of a calibrator, those of the solver before it.
  std::vector<Explanation> explained(RunProgress& progress, RunData& data,
                                     const ExplainOptions& options,
                                     std::span<const std::size_t> test_rows,
                                     std::size_t background) const {
    const std::size_t machine = machine_before(progress.graph(), solver());
    const std::size_t first = first_test_row(data.dataset(machine).outline());
    std::vector<std::size_t> positions;
    for (const std::size_t row : test_rows) positions.push_back(first + row);
    return explained_rows(progress, data, machine, options, positions, background);
  }

  void judge_estimates(Estimated test, RunProgress& progress, RunData& data, Report& report,
                       Context& context) const {
    if (!has_new_data(progress)) test.training_targets = data.training_targets(facts().index);
    add_samples(test, progress, data);
    test.explain = [&](std::span<const std::size_t> rows, std::size_t target,
                       std::size_t background) {
      const ExplainOptions options{.target = facts().outline->targets.at(target)};
      return explained(progress, data, options, rows, background);
    };
    as<Evaluator>().evaluate_estimates(test, report, context);
  }

  void judge_scores(Scored test, RunProgress& progress, RunData& data, Report& report,
                    Context& context) const {
    const auto& evaluator = as<Evaluator>();
    test.novelty = gives_ == PortType::novelty;
    test.probabilities = progress.facts(solver()).gives_probabilities;
    test.sets = progress.facts(solver()).gives_sets;
    add_samples(test, progress, data);
    test.explain = [&](std::span<const std::size_t> rows, std::size_t background) {
      return explained(progress, data, {}, rows, background);
    };
    FloatMatrix probes, scores, shares, probe_shares;
    if (evaluator.wants_probes()) {
      test.data = &data.dataset(facts().index);
      probes = evaluator.probes(*test.data, context);
      if (probes.cols != progress.facts(facts().spec->origin).output.size())
        throw Error("it wants scores for rows of " + std::to_string(probes.cols) +
                    " values, but the source's rows have " +
                    std::to_string(progress.facts(facts().spec->origin).output.size()));
      scores = scores_of_probes(progress, data, solver(), std::as_const(probes).view(), context);
      test.probes = std::as_const(probes).view();
      test.probe_scores = std::as_const(scores).view();
      test.compared = compared_samples(progress, facts().index);
    }
    if (evaluator.wants_shares()) {
      shares = shares_of_tests(progress, data, solver(), test.scores, context);
      probe_shares = shares_of_probes(progress, data, solver(), test, context);
      test.shares = std::as_const(shares).view();
      test.probe_shares = std::as_const(probe_shares).view();
    }
    evaluator.evaluate(test, report, context);
  }

  PortType gives_ = PortType::scores;
};

}  // namespace

bool judges_rows_alone(const Evaluator& evaluator) {
  return !evaluator.wants_probes() && !evaluator.wants_shares() && !evaluator.wants_samples() &&
         !evaluator.wants_explanations();
}

std::unique_ptr<Node> make_evaluator_node() { return std::make_unique<EvaluatorNode>(); }

}  // namespace semblance
