// SPDX-License-Identifier: MIT
#include "report/metrics.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/nodes/explained_tests.hpp"
#include "runtime/nodes/score_origin.hpp"

namespace semblance {
namespace {

/// Judges the novelty scores of the test samples by their classes.
class NoveltyEvaluatorNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    as<NoveltyEvaluator>().check_classes(facts().outline->classes);
    facts().demands = {.learns_from = RowsOf::testing,
                       .learned = Learned::report,
                       .sends_rows = as<NoveltyEvaluator>().wants_explanations()};
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
    Scored test{scores_of(progress, solver), progress.node(solver).scoring()->test_labels,
                facts().outline->classes, lineage_of(progress, facts().index)};
    if (as<NoveltyEvaluator>().wants_explanations()) {
      test.data = &data.dataset(facts().index);
      test.new_data = progress.facts(facts().spec->origin).new_data;
      test.explain = [&](std::span<const std::size_t> rows, std::size_t background) {
        return explained_tests(progress, data, solver, {}, rows, background);
      };
    }
    as<NoveltyEvaluator>().evaluate(test, report, context);
  }
};

}  // namespace

std::unique_ptr<Node> make_novelty_evaluator_node() {
  return std::make_unique<NoveltyEvaluatorNode>();
}

}  // namespace semblance
