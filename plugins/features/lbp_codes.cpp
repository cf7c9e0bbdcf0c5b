// SPDX-License-Identifier: MIT
#include "lbp_codes.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace semblance::features {
namespace {

/// Rounds values that are integers up to rounding errors.
double snapped(double x) {
  const double whole = std::round(x);
  return std::abs(x - whole) < 1e-9 ? whole : x;
}

std::array<std::uint8_t, 256> make_mapping() {
  std::array<std::uint8_t, 256> mapping{};
  std::uint8_t next = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const auto byte = static_cast<std::uint8_t>(code);
    const bool uniform = std::popcount(static_cast<std::uint8_t>(byte ^ std::rotl(byte, 1))) <= 2;
    mapping[code] = uniform ? next++ : static_cast<std::uint8_t>(uniform_bins - 1);
  }
  return mapping;
}

}  // namespace

LbpCodes::LbpCodes(double radius) : border_(static_cast<std::size_t>(std::ceil(radius))) {
  for (std::size_t p = 0; p < points; ++p) {
    const double angle = double(p) * std::numbers::pi / 4;
    const double x = snapped(radius * std::cos(angle)), y = snapped(-radius * std::sin(angle));
    Point& point = points_[p];
    const double fx = x - std::floor(x), fy = y - std::floor(y);
    for (int k = 0; k < 2; ++k) {  // a second neighbour without weight is the first one again
      point.row[k] = static_cast<std::ptrdiff_t>(std::floor(y)) + (fy > 0 ? k : 0);
      point.column[k] = static_cast<std::ptrdiff_t>(std::floor(x)) + (fx > 0 ? k : 0);
    }
    const double weights[] = {(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx};
    for (int k = 0; k < 4; ++k) point.weight[k] = static_cast<float>(weights[k]);
  }
}

void LbpCodes::describe(const float* image, std::size_t height, std::size_t width,
                        std::span<std::uint8_t> codes) const {
  const auto w = static_cast<std::ptrdiff_t>(width);
  for (std::size_t y = border_; y + border_ < height; ++y) {
    const float* centre = image + y * width;
    std::uint8_t* code = codes.data() + y * width;
    for (std::size_t x = border_; x + border_ < width; ++x) code[x] = 0;
    for (std::size_t p = 0; p < points; ++p) {
      const Point& n = points_[p];
      const float* a = centre + n.row[0] * w + n.column[0];
      const float* b = centre + n.row[0] * w + n.column[1];
      const float* c = centre + n.row[1] * w + n.column[0];
      const float* d = centre + n.row[1] * w + n.column[1];
      // Differences are weighted, not values: where all is equal they are 0, not rounding.
      for (std::size_t x = border_; x + border_ < width; ++x) {
        const float difference =
            n.weight[0] * (a[x] - centre[x]) + n.weight[1] * (b[x] - centre[x]) +
            n.weight[2] * (c[x] - centre[x]) + n.weight[3] * (d[x] - centre[x]);
        code[x] = static_cast<std::uint8_t>(code[x] | (unsigned(difference >= 0) << p));
      }
    }
  }
}

const std::array<std::uint8_t, 256>& uniform_mapping() {
  static const std::array<std::uint8_t, 256> mapping = make_mapping();
  return mapping;
}

}  // namespace semblance::features
