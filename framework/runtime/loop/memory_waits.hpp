// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/services/node_error.hpp"
#include "runtime/session/run_data.hpp"

namespace semblance {

/// A node that needs more memory than is free while other nodes hold some waits until nothing else
/// can be done. It is then tried alone, with as much as possible on disk. Only then does it fail.
/// Where ranks work together nothing waits: all must do the same.

/// Whether a failure may not recur when nothing else holds memory.
bool was_short_of_memory(const Ranks& ranks, const NodeError& failure);

/// Lets the node that has failed so wait. False where its failure is final.
bool put_off(RunProgress& progress, const NodeError& failure);

/// Whether each node waits, or follows one that does.
std::vector<char> waiting_nodes(const RunProgress& progress);

/// Called when nothing else can be done: the first waiting node, which is to be tried now, alone.
/// The number of nodes where none waits.
std::size_t try_one_alone(RunProgress& progress, RunData& data);

/// Releases the memory of all rows that are held, and closes all data.
void free_memory(RunProgress& progress, RunData& data);

}  // namespace semblance
