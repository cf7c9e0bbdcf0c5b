// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/node.hpp"

namespace semblance {

/// Throws Error where a node's solver, or one nested in it, has weights for classes that its source
/// does not have, or cannot weight the classes that there are.
void check_weighted_classes(const Node& node, const std::string& source,
                            const Catalogue& catalogue);

}  // namespace semblance
