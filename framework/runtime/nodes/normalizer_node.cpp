// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/metrics.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {
namespace {

/// Learns from the training rows how to map all rows: one component for each input, their outputs
/// side by side.
class NormalizerNode final : public Node {
  std::size_t parts_wanted() const override { return facts().inputs.size(); }

  void bind(const Compilation& graph, const KnownShapes*) override {
    std::size_t total = 0;
    for (std::size_t p = 0; p < facts().inputs.size(); ++p) {
      facts().output = as<Normalizer>(p).bind(graph.facts(facts().inputs[p]).output);
      if (facts().inputs.size() > 1 && facts().output.ragged())
        throw Error(
            "it has several inputs, which are put side by side, but it makes rows that differ "
            "in size, each a " +
            describe(facts().output) + "; give it one input");
      widths_.push_back(facts().output.size());
      total += facts().output.size();
    }
    if (facts().inputs.size() > 1) facts().output = Layout::vector(total);
    facts().demands = {.learns_from = RowsOf::training,
                       .gives = RowsOf::all,
                       .keeping = Keeping::if_learned_from,
                       .learned = Learned::state};
    facts().phase = "fitting";
    const NodeFacts& first = graph.facts(facts().inputs[0]);
    facts().gives_columns_of_source =
        facts().inputs.size() == 1 && facts().spec->info().keeps_columns &&
        facts().output.size() == first.output.size() && first.gives_columns_of_source;
  }

  bool can_learn(const RunProgress& progress) const override {
    return std::ranges::all_of(facts().inputs,
                               [&](std::size_t in) { return can_visit(progress, in); });
  }

  void learn(RunProgress& progress, RunData& data) override {
    RecordingReport report(progress.run(facts().index).record);
    for (std::size_t p = 0; p < facts().inputs.size(); ++p) {
      const auto rows = training_rows(progress, data, facts().inputs[p]);
      NodeContext context = progress.context(facts().index);
      as<Normalizer>(p).fit(training_set(progress.graph(), data, facts().inputs[p], *rows),
                            context);
      as<Normalizer>(p).report(report);
    }
  }

  void compute(std::size_t, const std::vector<MatrixView>& in, MutableMatrixView out,
               Context& context) const override {
    std::size_t offset = 0;
    for (std::size_t p = 0; p < in.size(); ++p) {
      const MutableMatrixView part = in.size() == 1 ? out : out.cols_range(offset, widths_[p]);
      as<Transform>(p).apply(in[p], part, context);
      offset += widths_[p];
    }
  }

  std::vector<std::size_t> widths_;  ///< columns of each part's output
};

}  // namespace

std::unique_ptr<Node> make_normalizer_node() { return std::make_unique<NormalizerNode>(); }

}  // namespace semblance
