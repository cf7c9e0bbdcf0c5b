// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/score_origin.hpp"

namespace semblance {
namespace {

/// Judges the intervals of the test samples by their true numbers.
class IntervalEvaluatorNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    facts().demands = {.learns_from = RowsOf::testing, .learned = Learned::report};
    facts().phase = "evaluating";
    facts().judged = facts().inputs;
  }

  bool can_learn(const RunProgress& progress) const override {
    return progress.run(facts().inputs[0]).has_rows() && all_before_have_learned(progress, facts());
  }

  void learn(RunProgress& progress, RunData&) override {
    RecordingReport report(progress.run(facts().index).record);
    const std::size_t solver = facts().inputs[0];
    NodeContext context = progress.context(facts().index);
    const Intervals test{scores_of(progress, solver), progress.node(solver).scoring()->test_targets,
                         facts().outline->targets, lineage_of(progress, facts().index)};
    as<IntervalEvaluator>().evaluate(test, report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_interval_evaluator_node() {
  return std::make_unique<IntervalEvaluatorNode>();
}

}  // namespace semblance
