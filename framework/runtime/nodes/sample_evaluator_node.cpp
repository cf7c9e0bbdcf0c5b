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
  void bind(const Compilation&, const KnownShapes*) override {}

  Demands what_it_demands() const override {
    return {.learns_from = RowsOf::training, .learned = Learned::report};
  }

  const char* phase() const override { return "evaluating"; }

  bool can_learn(const Session& session) const override {
    return can_visit(session, facts().inputs[0]);
  }

  void learn(Session& session) override {
    RecordingReport report(session.run(facts().index).record);
    const auto rows = training_rows(session, facts().inputs[0]);
    NodeContext context = session.context(facts().index);
    as<SampleEvaluator>().evaluate(training_set(session, facts().inputs[0], *rows), report,
                                   context);
  }
};

}  // namespace

std::unique_ptr<Node> make_sample_evaluator_node() {
  return std::make_unique<SampleEvaluatorNode>();
}

}  // namespace semblance
