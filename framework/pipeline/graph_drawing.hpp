// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The graph in the DOT language: one box per node with its name and component, coloured by kind;
/// an edge is labelled with the input's name unless it is `from`.
std::string dot_text(const Pipeline& pipeline);

/// The same, laid out by Graphviz, as a complete SVG document. Throws Error if Graphviz fails.
std::string svg_text(const Pipeline& pipeline);

}  // namespace semblance
