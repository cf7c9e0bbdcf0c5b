// SPDX-License-Identifier: MIT
#include "generated/glyph_drawing.hpp"

#include <algorithm>
#include <array>
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

namespace {

/// A smooth random displacement field: a lattice of independent normal vectors across the image,
/// joined by cubic easing.
class DisplacementField {
 public:
  explicit DisplacementField(Random& random) {
    for (Point& p : lattice_) p = {random.normal(), random.normal()};
  }

  /// At (u, v) in [0, 1] squared, in units of the lattice's standard deviation.
  Point at(double u, double v) const {
    const auto [i, s] = cell(v);
    const auto [j, t] = cell(u);
    const Point &a = node(i, j), &b = node(i, j + 1), &c = node(i + 1, j), &d = node(i + 1, j + 1);
    return {(1 - s) * ((1 - t) * a.x + t * b.x) + s * ((1 - t) * c.x + t * d.x),
            (1 - s) * ((1 - t) * a.y + t * b.y) + s * ((1 - t) * c.y + t * d.y)};
  }

 private:
  static constexpr std::size_t side = 5;

  static std::pair<std::size_t, double> cell(double u) {
    const double place = std::clamp(u, 0.0, 1.0) * (side - 1);
    const auto index = std::min(static_cast<std::size_t>(place), side - 2);
    const double t = place - double(index);
    return {index, t * t * (3 - 2 * t)};
  }
  const Point& node(std::size_t i, std::size_t j) const { return lattice_[i * side + j]; }

  std::array<Point, side * side> lattice_;
};

}  // namespace

const std::vector<std::string>& glyph_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& shape : glyph_shapes()) all.push_back(shape.name);
    return all;
  }();
  return names;
}

void draw_glyph(std::size_t number, const GlyphStyle& style, Random random,
                std::span<std::uint8_t> image) {
  const GlyphShape& shape = glyph_shapes()[number];
  const double size = double(style.size);
  const double dx = style.shift * random.uniform(-1, 1), dy = style.shift * random.uniform(-1, 1);
  const double angle = style.rotation * random.uniform(-1, 1) * std::numbers::pi / 180;
  const double radius = 0.32 * size * random.uniform(0.88, 1.12);
  const double ground = random.uniform(20, 70), ink = random.uniform(160, 240);
  const DisplacementField field(random);
  const double c = std::cos(angle), s = std::sin(angle);
  // Beyond half a pixel from the outline only the side counts; a distance grows or falls by no more
  // than the step from the point where it was last computed.
  const double edge = 0.5000001 / radius;
  Point known = {};
  double distance = 0;
  for (std::size_t y = 0; y < style.size; ++y)
    for (std::size_t x = 0; x < style.size; ++x) {
      const double px = double(x) + 0.5, py = double(y) + 0.5;
      const Point bend = field.at(px / size, py / size);
      // The position of this pixel on the undistorted shape.
      const double qx = px + style.deformation * bend.x - dx - size / 2;
      const double qy = py + style.deformation * bend.y - dy - size / 2;
      const Point p = {(c * qx + s * qy) / radius, (c * qy - s * qx) / radius};
      if (std::abs(distance) - std::hypot(p.x - known.x, p.y - known.y) < edge) {
        known = p;
        distance = signed_distance(shape, p);
      }
      const double cover = std::clamp(0.5 - radius * distance, 0.0, 1.0);
      const double grey = ground + (ink - ground) * cover + style.noise * random.normal();
      image[y * style.size + x] = static_cast<std::uint8_t>(std::clamp(grey + 0.5, 0.0, 255.0));
    }
}

}  // namespace semblance::sources
