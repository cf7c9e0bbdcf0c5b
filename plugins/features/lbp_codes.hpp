// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace semblance::features {

/// Local binary patterns of eight points on a circle (Ojala, Pietikäinen, Mäenpää 2002): bit p of
/// a pixel's code is whether the point at angle p pi / 4, counted from the right against the
/// clock, is at least as bright as the pixel. Between pixels brightness is interpolated
/// bilinearly. Knows no framework; const members are thread-safe.
class LbpCodes {
 public:
  static constexpr std::size_t points = 8;

  explicit LbpCodes(double radius);

  /// Pixels nearer to an edge have no code.
  std::size_t border() const noexcept { return border_; }

  /// Writes the codes of all pixels that have one; does not change other pixels.
  void describe(const float* image, std::size_t height, std::size_t width,
                std::span<std::uint8_t> codes) const;

 private:
  struct Point {
    std::ptrdiff_t row[2];  ///< the two nearest rows and columns, relative to the pixel
    std::ptrdiff_t column[2];
    float weight[4];  ///< of (row 0, column 0), (0, 1), (1, 0), (1, 1); sum 1
  };
  std::size_t border_ = 0;
  std::array<Point, points> points_;
};

/// Number of bins of uniform patterns: 58 codes with at most two changes between neighbouring
/// bits, and one bin for all others.
inline constexpr std::size_t uniform_bins = 59;

/// For each code its bin: uniform codes ascending, 58 for the others.
const std::array<std::uint8_t, 256>& uniform_mapping();

}  // namespace semblance::features
