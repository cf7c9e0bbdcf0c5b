// SPDX-License-Identifier: MIT
#pragma once

#include "pipeline/specification/specification.hpp"

namespace semblance {

/// Reads the mapping of one node.
NodeSpecification read_node(const YamlEntry& entry, const Catalogue& catalogue,
                            ComponentReader& components, Problems& problems);

/// A seed of the pipeline or of a node; nothing: reported.
std::optional<std::uint64_t> read_seed(const YamlNode& node, Problems& problems);

}  // namespace semblance
