// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace semblance {

/// How the values of one sample are arranged.
enum class LayoutKind {
  vector,  ///< `depth` values without further structure
  image,   ///< planar pixels: value (channel, row, column), channel slowest; 0..255 unless said
  grid     ///< cells: value (row, column, k), the `depth` values of one cell next to each other
};

/// The shape of one sample. A sample is always `size()` consecutive float32 values.
struct Layout {
  LayoutKind kind = LayoutKind::vector;
  std::size_t height = 1;  ///< rows of pixels or cells; 1 for vectors
  std::size_t width = 1;   ///< columns of pixels or cells; 1 for vectors
  std::size_t depth = 0;   ///< channels, values a cell, or the vector's dimension

  static Layout vector(std::size_t dimension) { return {LayoutKind::vector, 1, 1, dimension}; }
  static Layout image(std::size_t height, std::size_t width, std::size_t channels) {
    return {LayoutKind::image, height, width, channels};
  }
  static Layout grid(std::size_t height, std::size_t width, std::size_t depth) {
    return {LayoutKind::grid, height, width, depth};
  }

  std::size_t size() const noexcept { return height * width * depth; }
  bool operator==(const Layout&) const = default;
};

/// What there is to say of a kind of layout.
struct LayoutInfo {
  LayoutKind kind;
  const char* name;     ///< "image"
  const char* article;  ///< before the name: "an"
  const char*
      extents;     ///< what its three numbers are, "height x width x channels"; "": only `depth`
  Layout example;  ///< a small one, for checks
};

/// One a kind, in the order of the kinds: the place where a new kind is registered.
const std::vector<LayoutInfo>& layouts();

/// "vector", "image" or "grid".
const char* name(LayoutKind kind) noexcept;

/// For messages: "vector of 256", "image of 32x32x3 (height x width x channels)".
std::string describe(const Layout& layout);

}  // namespace semblance
