// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/compilation.hpp"
#include "runtime/rows/rearranged_rows.hpp"
#include "runtime/services/run_context.hpp"

namespace semblance {

class SlowData;

/// Asks the nodes that choose pairs of a source's samples, and also choose the samples for testing,
/// for the latter: fills NodeFacts::set_aside of the source. Makes the components that it asks;
/// they remain those of their nodes.
void set_rows_aside(Compilation& graph, Node& source, const Catalogue& catalogue,
                    RunServices& services, SlowData* slow);

/// The memory that a source may take when it opens what it announced, no matter how full memory is
/// by then: the plan has counted it.
std::size_t data_bytes(const Outline& outline);

}  // namespace semblance
