// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "runtime/nodes/node.hpp"

namespace semblance {

/// A kind of node: the components that it is for, and how one is made.
struct NodeKind {
  bool (*takes)(const ComponentInfo&);
  std::unique_ptr<Node> (*make)();
};

/// Adds a kind, for the life of the program: the one registration of a kind. Not thread-safe.
void add_node_kind(NodeKind kind);

/// A node for a component, as yet unbound. Throws Error where no kind takes it.
std::unique_ptr<Node> make_node(const ComponentInfo& component);

}  // namespace semblance
