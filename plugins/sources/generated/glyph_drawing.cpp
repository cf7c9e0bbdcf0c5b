// SPDX-License-Identifier: MIT
#include "generated/glyph_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "generated/glyph_shapes.hpp"

namespace semblance::sources {
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
  for (std::size_t y = 0; y < style.size; ++y)
    for (std::size_t x = 0; x < style.size; ++x) {
      const double px = double(x) + 0.5, py = double(y) + 0.5;
      const Point bend = field.at(px / size, py / size);
      // The position of this pixel on the undistorted shape.
      const double qx = px + style.deformation * bend.x - dx - size / 2;
      const double qy = py + style.deformation * bend.y - dy - size / 2;
      const Point p = {(c * qx + s * qy) / radius, (c * qy - s * qx) / radius};
      const double cover = std::clamp(0.5 - radius * signed_distance(shape, p), 0.0, 1.0);
      const double grey = ground + (ink - ground) * cover + style.noise * random.normal();
      image[y * style.size + x] = static_cast<std::uint8_t>(std::clamp(grey + 0.5, 0.0, 255.0));
    }
}

}  // namespace semblance::sources
