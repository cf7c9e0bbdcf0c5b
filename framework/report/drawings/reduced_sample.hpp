// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/drawings/drawn_sample.hpp"
#include "semblance/graph.hpp"

namespace semblance {

/// A PNG picture in base64, to be embedded in a page. `pixels` are width x height of one byte
/// (grey) or three (red, green, blue), row by row from the top. Throws Error where there are none.
std::string picture_text(std::size_t width, std::size_t height,
                         std::span<const std::uint8_t> pixels);

/// The most values of a vector listed in a page.
constexpr std::size_t most_listed_values = 40;

/// A pixel of a drawn picture, or of a drawn grid, stands for a square of this many per side.
std::size_t reduced_by(std::size_t height, std::size_t width);

/// The values needed to draw a sample: some of its steps, points or symbols, a picture of at most
/// 64 x 64 pixels, the first values of a vector, or the largest ones of a sparse vector. `columns`
/// are the names of a vector's columns, if any; `places` are the columns of a sparse vector's
/// values. Leaves the sample's name and classes empty.
DrawnSample reduced_sample(const Layout& layout, std::span<const float> values,
                           std::span<const std::string> columns = {},
                           std::span<const std::uint32_t> places = {});

/// Where a drawing puts the nodes of a graph: x and y of each, in [0, 1]. Distances in the drawing
/// follow the numbers of edges between nodes (stress majorization; Gansner, Koren & North 2004).
/// Directions have no effect. The time grows with the cube of the number of nodes.
std::vector<float> graph_layout(const GraphView& graph);

}  // namespace semblance
