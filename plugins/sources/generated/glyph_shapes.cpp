// SPDX-License-Identifier: MIT
#include "generated/glyph_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace semblance::sources {
namespace {

constexpr double pi = std::numbers::pi;

/// `count` corners on circles of the given radii in turn, the first one straight up.
std::vector<Point> radial(std::size_t count, std::vector<double> radii) {
  std::vector<Point> points;
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = 2 * pi * double(k) / double(count), r = radii[k % radii.size()];
    points.push_back({r * std::sin(angle), -r * std::cos(angle)});
  }
  return points;
}

std::vector<Point> plus() {
  const double a = 0.95, b = 0.27;  // half length and half width of the bars
  return {{-b, -a}, {b, -a}, {b, -b}, {a, -b}, {a, b},   {b, b},
          {b, a},   {-b, a}, {-b, b}, {-a, b}, {-a, -b}, {-b, -b}};
}

std::vector<Point> turned(std::vector<Point> points, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (Point& p : points) p = {c * p.x - s * p.y, s * p.x + c * p.y};
  return points;
}

std::vector<Point> heart() {
  std::vector<Point> points;
  for (std::size_t k = 0; k < 32; ++k) {
    const double t = 2 * pi * double(k) / 32;
    const double y = 13 * std::cos(t) - 5 * std::cos(2 * t) - 2 * std::cos(3 * t) - std::cos(4 * t);
    points.push_back({16 * std::pow(std::sin(t), 3) / 17.0, -(y + 2.5) / 16.0});
  }
  return points;
}

double polygon_distance(const std::vector<Point>& polygon, Point p) {
  double nearest = std::numeric_limits<double>::infinity();  // squared
  bool inside = false;
  Point a = polygon.back();
  for (const Point b : polygon) {
    const double ex = b.x - a.x, ey = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    const double t = std::clamp((px * ex + py * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    const double dx = px - t * ex, dy = py - t * ey;
    nearest = std::min(nearest, dx * dx + dy * dy);
    if ((a.y > p.y) != (b.y > p.y) && px < ex * py / ey) inside = !inside;
    a = b;
  }
  return inside ? -std::sqrt(nearest) : std::sqrt(nearest);
}

}  // namespace

const std::vector<GlyphShape>& glyph_shapes() {
  static const std::vector<GlyphShape> shapes = {
      {"arrow",
       {{-0.95, -0.25},
        {0.1, -0.25},
        {0.1, -0.75},
        {1, 0},
        {0.1, 0.75},
        {0.1, 0.25},
        {-0.95, 0.25}},
       {}},
      {"circle", radial(32, {0.92}), {}},
      {"corner",
       {{-0.85, -0.95}, {-0.3, -0.95}, {-0.3, 0.4}, {0.85, 0.4}, {0.85, 0.95}, {-0.85, 0.95}},
       {}},
      {"cross", turned(plus(), pi / 4), {}},
      {"heart", heart(), {}},
      {"plus", plus(), {}},
      {"ring", radial(32, {0.97}), radial(32, {0.5})},
      {"star", radial(10, {1.08, 0.45}), {}},
      {"triangle", {{0, -0.95}, {1.02, 0.8}, {-1.02, 0.8}}, {}},
      {"zigzag",
       {{-0.9, -0.9},
        {0.9, -0.9},
        {0.9, -0.5},
        {-0.1, 0.45},
        {0.9, 0.45},
        {0.9, 0.9},
        {-0.9, 0.9},
        {-0.9, 0.5},
        {0.1, -0.45},
        {-0.9, -0.45}},
       {}},
  };
  return shapes;
}

double signed_distance(const GlyphShape& shape, Point p) {
  const double outer = polygon_distance(shape.outline, p);
  return shape.hole.empty() ? outer : std::max(outer, -polygon_distance(shape.hole, p));
}

}  // namespace semblance::sources
