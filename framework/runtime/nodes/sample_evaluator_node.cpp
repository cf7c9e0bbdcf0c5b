// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/stages/learning.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {
namespace {

/// Evaluates the training samples of the node before it.
class SampleEvaluatorNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    facts().demands = {.learns_from = RowsOf::training, .learned = Learned::report};
    facts().phase = "evaluating";
  }

  bool can_learn(const RunProgress& progress) const override {
    return can_visit(progress, facts().inputs[0]);
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    const auto rows = training_rows(progress, data, facts().inputs[0]);
    NodeContext context = progress.context(facts().index);
    as<SampleEvaluator>().evaluate(training_set(progress.graph(), data, facts().inputs[0], *rows),
                                   report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_sample_evaluator_node() {
  return std::make_unique<SampleEvaluatorNode>();
}

}  // namespace semblance
