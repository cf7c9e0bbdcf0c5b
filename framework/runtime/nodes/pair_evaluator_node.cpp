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
  void bind(const Compilation&, const KnownShapes*) override {
    facts().demands = {.learned = Learned::report};
    facts().phase = "evaluating";
    facts().judged = facts().inputs;
  }

  bool can_learn(const RunProgress& progress) const override {
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return progress.run(in).has_rows(); });
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
