// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/compilation.hpp"
#include "runtime/rows/rearranged_rows.hpp"
#include "runtime/services/run_context.hpp"

namespace semblance {

/// Asks the nodes that choose pairs of a source's rows, and say themselves which of these are for
/// testing, for those rows: fills Node::set_aside of the source. Makes the components it
/// asks; they stay those of their nodes.
void set_rows_aside(Compilation& graph, Node& source, const Catalogue& catalogue,
                    RunServices& services, SlowData* slow);

/// What a source may take when it opens what it announced, however full memory is by then: the
/// plan has counted it.
std::size_t data_bytes(const Outline& outline);

}  // namespace semblance
