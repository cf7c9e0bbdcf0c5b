// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The graph in the DOT language: one box per node with its name and component, coloured by kind;
/// an edge is labelled with the input's name unless it is `from`.
std::string dot_text(const Pipeline& pipeline);

/// The variants of a pipeline as one graph, in the DOT language: nodes of the same name are one
/// box, which lists their components; an edge or a node that only some variants have is dashed.
std::string merged_dot_text(std::span<const Pipeline* const> variants);

/// dot_text(), laid out by Graphviz, as a complete SVG document. Throws Error if Graphviz fails.
std::string svg_text(const Pipeline& pipeline);

/// merged_dot_text(), likewise.
std::string merged_svg_text(std::span<const Pipeline* const> variants);

}  // namespace semblance
