// SPDX-License-Identifier: MIT
#include "runtime/graph/compilation.hpp"

namespace semblance {
namespace {

/// Outputs the samples of a data set.
class SourceNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    facts().output = facts().outline->layout;
    facts().demands = {.gives = RowsOf::all};
    facts().gives_columns_of_source = facts().output.kind == LayoutKind::vector;
  }
};

}  // namespace

std::unique_ptr<Node> make_source_node() { return std::make_unique<SourceNode>(); }

}  // namespace semblance
