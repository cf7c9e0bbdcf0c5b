// SPDX-License-Identifier: MIT
#include "contrast_node.hpp"

#include "contrast.hpp"
#include "runtime/graph/kinds.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance {
namespace {

class ContrastNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    facts().output = graph.facts(facts().inputs[0]).output;
    if (graph.facts(facts().inputs[1]).output.size() != facts().output.size())
      throw Error("both inputs must have as many values");
    facts().demands = {.learns_from = RowsOf::training,
                       .gives = RowsOf::all,
                       .keeping = Keeping::if_learned_from,
                       .learned = Learned::state};
    facts().phase = "contrasting";
  }

  bool can_learn(const RunProgress& progress) const override {
    return can_visit(progress, facts().inputs[0]) && can_visit(progress, facts().inputs[1]);
  }

  void learn(RunProgress& progress, RunData& data) override {
    NodeContext context = progress.context(facts().index);
    as<Contrast>().fit(*training_rows(progress, data, facts().inputs[0]),
                       *training_rows(progress, data, facts().inputs[1]), context);
  }

  void compute(std::size_t, const std::vector<MatrixView>& in, MutableMatrixView out,
               Context& context) const override {
    as<Contrast>().apply(in[0], in[1], out, context);
  }

  void save(const Folder& folder) const override {
    StateFolderWriter writer(part_folder(folder, 0));
    as<Contrast>().save(writer);
    writer.finish();
  }

  void load(const Folder& folder, Context& context) override {
    as<Contrast>().load(StateFolderReader(part_folder(folder, 0)), context);
  }
};

std::unique_ptr<Node> make_contrast_node() { return std::make_unique<ContrastNode>(); }

}  // namespace

void add_contrast() { add_node_kind({Contrast::kind_info(), make_contrast_node}); }

}  // namespace semblance
