// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/services/node_error.hpp"
#include "runtime/session/session.hpp"

namespace semblance {

/// What needs more memory than is free while others hold some waits until nothing else can be done,
/// and is then tried alone, with everything on disk that can be there. Only then does it fail.
/// Where ranks work together nothing waits: all must do the same.

/// Whether what has failed so may succeed where nothing else holds memory.
bool was_short_of_memory(const Session& session, const NodeError& failure);

/// The node that was tried and has failed so waits. False where what it says is final.
bool put_off(Session& session, const NodeError& failure);

/// Whether each node waits, or is behind one that does.
std::vector<char> waiting_nodes(const Session& session);

/// Nothing else can be done: the first node that waits is to be tried now, alone. How many nodes
/// there are, where none waits.
std::size_t try_one_alone(Session& session);

/// Gives back the memory of all rows that are in hand, and closes all data.
void free_memory(Session& session);

}  // namespace semblance
