// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The graph in the DOT language: a box a node with its name and component, coloured by kind; an
/// edge says the input's name where it is not `from`.
std::string dot_text(const Pipeline& pipeline);

/// The same, laid out by Graphviz, as a complete SVG document. Throws Error when Graphviz cannot.
std::string svg_text(const Pipeline& pipeline);

}  // namespace semblance
