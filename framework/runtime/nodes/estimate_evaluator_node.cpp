// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/explained_tests.hpp"
#include "runtime/nodes/score_origin.hpp"

namespace semblance {
namespace {

/// Compares the estimates that a regressor has given for the test samples with the true numbers.
class EstimateEvaluatorNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    facts().demands = {.learns_from = RowsOf::testing,
                       .learned = Learned::report,
                       .sends_rows = as<EstimateEvaluator>().wants_samples() ||
                                     as<EstimateEvaluator>().wants_explanations()};
    facts().phase = "evaluating";
    facts().judged = facts().inputs;
  }

  bool can_learn(const RunProgress& progress) const override {
    return progress.run(facts().inputs[0]).has_rows() && all_before_have_learned(progress, facts());
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    const std::size_t solver = facts().inputs[0];
    NodeContext context = progress.context(facts().index);
    Estimated test{scores_of(progress, solver), progress.node(solver).scoring()->test_targets,
                   facts().outline->targets, lineage_of(progress, facts().index)};
    if (!progress.facts(facts().spec->origin).new_data)
      test.training_targets = data.training_targets(facts().index);
    if (as<EstimateEvaluator>().wants_samples()) {
      test.data = &data.dataset(facts().index);
      test.nearest_bases = nearest_bases_of_tests(progress, data, facts().index);
    }
    if (as<EstimateEvaluator>().wants_explanations()) {
      test.data = &data.dataset(facts().index);
      test.new_data = progress.facts(facts().spec->origin).new_data;
      test.explain = [&](std::span<const std::size_t> rows, std::size_t target,
                         std::size_t background) {
        const ExplainOptions options{.target = facts().outline->targets.at(target)};
        return explained_tests(progress, data, solver, options, rows, background);
      };
    }
    as<EstimateEvaluator>().evaluate(test, report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_estimate_evaluator_node() {
  return std::make_unique<EstimateEvaluatorNode>();
}

}  // namespace semblance
