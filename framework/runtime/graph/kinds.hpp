// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/graph/node.hpp"
#include "semblance/kind.hpp"

namespace semblance {

/// A kind of node: the interface that its components implement, and how to make one.
struct NodeKind {
  const KindInfo& interface;
  std::unique_ptr<Node> (*make)();
};

/// Registers a kind that this list does not have, for the life of the program. For programs that
/// extend the runtime, before they load plugins; not thread-safe.
void add_node_kind(const NodeKind& kind);

/// A node for a component, not yet bound. Throws Error where no kind takes it.
std::unique_ptr<Node> make_node(const ComponentInfo& component);

}  // namespace semblance
