// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/graph/node.hpp"
#include "semblance/kind.hpp"

namespace semblance {

class Evaluator;

/// A kind of node: the interface that its components implement, and how to make one.
struct NodeKind {
  const KindInfo& interface;
  std::unique_ptr<Node> (*make)();
};

/// Registers a kind that this list does not have, for the life of the program. For programs that
/// extend the runtime, before they load plugins; not thread-safe.
void add_node_kind(const NodeKind& kind);

/// Whether what an evaluator reports can follow from the scored samples: not if it sends other
/// samples through the solver, or explains.
bool judges_rows_alone(const Evaluator& evaluator);

/// A node for a component, not yet bound. Throws Error where no kind takes it.
std::unique_ptr<Node> make_node(const ComponentInfo& component);

}  // namespace semblance
