// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The nodes that node i's component is told of by name, in the order of its pipeline: the inputs
/// that a solver learns from, where it has several to tell apart; the solvers whose scores of pairs
/// are judged; the similarity maps before a solver whose scores are judged, and what feeds them.
/// What a component is shown can be in its report, so it is part of what the node computes.
std::vector<ShownNode> shown_nodes(const Pipeline& pipeline, std::size_t i);

/// What node i's component is told that `shown` is called.
const std::string& shown_name(const std::vector<ShownNode>& nodes, std::size_t shown);

}  // namespace semblance
