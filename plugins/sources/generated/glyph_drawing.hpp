// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::sources {

struct Point {
  double x = 0;
  double y = 0;  ///< downwards
};

/// The outline of a shape around the origin, within about [-1, 1] in both directions: polygons
/// that are filled, or cut out where `hole`.
struct GlyphShape {
  std::string name;
  std::vector<Point> outline;
  std::vector<Point> hole;  ///< may be empty
};

/// The ten shapes, in the order of their names.
const std::vector<GlyphShape>& glyph_shapes();

/// Signed distance of `p` to the shape's border, negative inside.
double signed_distance(const GlyphShape& shape, Point p);

/// How a glyph is drawn and disturbed; lengths in pixels.
struct GlyphStyle {
  std::size_t size = 28;     ///< side of the image
  double shift = 4;          ///< largest displacement in x and in y
  double deformation = 1.5;  ///< standard deviation of the local displacement
  double rotation = 8;       ///< largest rotation, degrees
  double noise = 20;         ///< standard deviation of the grey values' noise
};

/// Names of the shapes, alphabetical.
const std::vector<std::string>& glyph_names();

/// Draws shape `number` in grey, row-major, `style.size` squared values. All randomness comes from
/// `random`; every style draws the same numbers, so styles can be compared.
void draw_glyph(std::size_t number, const GlyphStyle& style, Random random,
                std::span<std::uint8_t> image);

}  // namespace semblance::sources
