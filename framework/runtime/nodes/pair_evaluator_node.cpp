// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pipeline/shown_names.hpp"
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/session/run_data.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {
namespace {

/// Evaluates pair scores from one or more solvers.
class PairEvaluatorNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {}
  Demands what_it_demands() const override { return {.learned = Learned::report}; }
  const char* phase() const override { return "evaluating"; }
  std::vector<std::size_t> judged() const override { return facts().inputs; }
  bool opens_data(const RunProgress&) const override { return false; }

  bool can_learn(const RunProgress& progress) const override {
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return progress.run(in).has_rows(); });
  }

  /// The folds may have evaluated all pairs, so that no test pairs remain.
  bool settled_by_cross_validation(const RunProgress& progress) const override {
    return progress.purpose().settles_idle_evaluators() &&
           std::ranges::all_of(facts().inputs, [&](std::size_t in) {
             return progress.node(in).scoring()->tested_pairs()->size() == 0;
           });
  }

  void learn(RunProgress& progress, RunData&) override {
    const auto shown = shown_nodes(*progress.graph().pipeline, facts().index);
    std::vector<ScoredPairs> tests;
    for (const std::size_t in : facts().inputs) {
      const ScoringNode& solver = *progress.node(in).scoring();
      const PairSet& pairs = *solver.tested_pairs();
      if (pairs.size() == 0)
        throw Error("there are no test pairs to evaluate; '" +
                    progress.facts(*solver.facts().pairs).name() + "' gives none");
      // One column of consecutive rows.
      const MatrixView scores = scores_of(progress, in);
      tests.push_back(
          {shown_name(shown, in), {scores.row(0), scores.rows}, pairs, solver.test_labels});
    }
    RecordingReport report(progress.run(facts().index).record);
    NodeContext context = progress.context(facts().index);
    as<PairEvaluator>().evaluate(tests, report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_pair_evaluator_node() { return std::make_unique<PairEvaluatorNode>(); }

}  // namespace semblance
