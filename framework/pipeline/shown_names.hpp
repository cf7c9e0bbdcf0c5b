// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The nodes whose names node i's component sees, in the order of its pipeline: the inputs that a
/// solver learns from, if it must distinguish several; the solvers whose pair scores are evaluated;
/// a solver whose scores are evaluated, the similarity maps before it, and their inputs. A
/// component's report can contain these names, so they are part of what the node computes.
std::vector<ShownNode> shown_nodes(const Pipeline& pipeline, std::size_t i);

/// The name under which node i's component sees `shown`.
const std::string& shown_name(const std::vector<ShownNode>& nodes, std::size_t shown);

}  // namespace semblance
