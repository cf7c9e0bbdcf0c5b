// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/graph/node.hpp"
#include "semblance/kind.hpp"

namespace semblance {

/// A kind of node: the interface whose components it is for, and how one is made.
struct NodeKind {
  const KindInfo& interface;
  std::unique_ptr<Node> (*make)();
};

/// Adds a kind for the life of the program: the one registration of a kind that this list does not
/// have. For programs that extend the runtime, before they load plugins; not thread-safe.
void add_node_kind(const NodeKind& kind);

/// A node for a component, as yet unbound. Throws Error where no kind takes it.
std::unique_ptr<Node> make_node(const ComponentInfo& component);

}  // namespace semblance
