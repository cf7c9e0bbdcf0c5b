// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/graph/kinds.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/stages/learning.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {
namespace {

/// Learns from the training rows how to map all rows: one component for each input, their outputs
/// side by side.
class NormalizerNode final : public Node {
  std::size_t parts_wanted() const override { return inputs.size(); }

  void bind(const Compilation& graph, const KnownShapes*) override {
    std::size_t total = 0;
    for (std::size_t p = 0; p < inputs.size(); ++p) {
      output = as<Normalizer>(p).bind(graph.nodes[inputs[p]]->output);
      if (inputs.size() > 1 && output.ragged())
        throw Error(
            "it has several inputs, which are put side by side, but it makes rows that differ "
            "in size, each a " +
            describe(output) + "; give it one input");
      widths_.push_back(output.size());
      total += output.size();
    }
    if (inputs.size() > 1) output = Layout::vector(total);
  }

  Demands what_it_demands() const override {
    return {.learns_from = RowsOf::training,
            .gives = RowsOf::all,
            .keeping = Keeping::if_learned_from,
            .learned = Learned::state};
  }

  const char* phase() const override { return "fitting"; }

  bool can_learn(const Session& session) const override {
    return std::ranges::all_of(inputs, [&](std::size_t in) { return can_visit(session, in); });
  }

  void learn(Session& session) override {
    for (std::size_t p = 0; p < inputs.size(); ++p) {
      const auto rows = training_rows(session, inputs[p]);
      NodeContext context = session.context(index);
      as<Normalizer>(p).fit(training_set(session, inputs[p], *rows), context);
    }
  }

  void compute(Session& session, std::size_t, const std::vector<MatrixView>& in,
               MutableMatrixView out) const override {
    NodeContext context = session.context(index);
    std::size_t offset = 0;
    for (std::size_t p = 0; p < in.size(); ++p) {
      const MutableMatrixView part = in.size() == 1 ? out : out.cols_range(offset, widths_[p]);
      as<Transform>(p).apply(in[p], part, context);
      offset += widths_[p];
    }
  }

  /// Skips components that need more than column statistics: those that choose bases, or words.
  std::size_t rehearse(Session& session, const std::vector<MatrixView>& in) override {
    if (!inexpensive()) return Node::rehearse(session, in);
    for (std::size_t p = 0; p < in.size(); ++p) {
      std::vector<std::int32_t> labels(in[p].rows);
      const std::size_t classes = std::max<std::size_t>(1, outline->classes.size());
      for (std::size_t r = 0; r < labels.size(); ++r)
        labels[r] = static_cast<std::int32_t>(r % classes);
      NodeContext context = session.context(index);
      as<Normalizer>(p).fit(
          {MatrixRows(in[p]), session.node(inputs[p]).output, labels, outline->classes}, context);
    }
    return output.size();
  }

  bool gives_columns_of_source(const Compilation& graph) const override {
    return inputs.size() == 1 && spec->info().keeps_columns &&
           output.size() == graph.nodes[inputs[0]]->output.size() &&
           graph.nodes[inputs[0]]->gives_columns_of_source(graph);
  }

  std::vector<std::size_t> widths_;  ///< columns of each part's output
};

}  // namespace

std::unique_ptr<Node> make_normalizer_node() { return std::make_unique<NormalizerNode>(); }

}  // namespace semblance
