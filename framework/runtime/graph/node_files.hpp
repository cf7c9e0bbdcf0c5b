// SPDX-License-Identifier: MIT
#pragma once

#include "registry/catalogue.hpp"
#include "runtime/graph/node.hpp"
#include "runtime/store/input_files.hpp"

namespace semblance {

/// Records the files that a node's component, and those nested in it, will read.
void note_files(Node& node, const Catalogue& catalogue, InputFiles& files);

/// Reads them for the hash of their content.
void note_content(Node& node, const Catalogue& catalogue, InputFiles& files);

/// Throws Error where they are other files by now, or one of them has changed.
void check_files(const Node& node, const Catalogue& catalogue, InputFiles& files);

}  // namespace semblance
