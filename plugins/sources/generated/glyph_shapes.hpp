// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace semblance::sources
