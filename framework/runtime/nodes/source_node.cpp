// SPDX-License-Identifier: MIT
#include "runtime/graph/kinds.hpp"
#include "runtime/session/session.hpp"

namespace semblance {
namespace {

/// Outputs the samples of a data set.
class SourceNode final : public Node {
  void bind(const Compilation&, const KnownShapes*) override {
    facts().output = facts().outline->layout;
  }

  Demands what_it_demands() const override { return {.gives = RowsOf::all}; }

  void compute(Session& session, std::size_t first, const std::vector<MatrixView>&,
               MutableMatrixView out) const override {
    session.opened(facts().index).dataset->read(first, out);
  }

  bool gives_columns_of_source(const Compilation&) const override {
    return facts().output.kind == LayoutKind::vector;
  }
};

}  // namespace

std::unique_ptr<Node> make_source_node() { return std::make_unique<SourceNode>(); }

}  // namespace semblance
