// SPDX-License-Identifier: MIT
#include "displaced_rows.hpp"

#include <algorithm>
#include <cstdlib>

namespace semblance::vectors {
namespace {

/// The indices i of [0, size) for which i + z is also in it.
struct Overlap {
  Overlap(std::int64_t size, std::int64_t z)
      : first(std::clamp(-z, std::int64_t{0}, size)),
        last(std::clamp(size - z, std::int64_t{0}, size)) {}
  std::int64_t first;
  std::int64_t last;
};

/// One row of values; an image is channel after channel, a grid has all values in one.
void displace(const float* from, const Layout& layout, Displacement z, float* to) {
  const bool planar = layout.kind == LayoutKind::image;
  const std::size_t planes = planar ? layout.depth : 1, cell = planar ? 1 : layout.depth;
  const auto height = static_cast<std::int64_t>(layout.height);
  const auto width = static_cast<std::int64_t>(layout.width);
  const Overlap rows(height, z.y), cols(width, z.x);
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::int64_t y = rows.first; y < rows.last; ++y) {
      const std::int64_t line = static_cast<std::int64_t>(plane) * height + y;
      const auto at = static_cast<std::size_t>(line * width + cols.first) * cell;
      const auto source = static_cast<std::size_t>((line + z.y) * width + cols.first + z.x) * cell;
      if (cols.first < cols.last)
        std::copy_n(from + source, static_cast<std::size_t>(cols.last - cols.first) * cell,
                    to + at);
    }
}

}  // namespace

std::vector<Displacement> displacements(const Layout& layout, std::int64_t reach) {
  const auto height = static_cast<std::int64_t>(layout.height);
  const auto width = static_cast<std::int64_t>(layout.width);
  std::vector<Displacement> all;
  for (std::int64_t y = -reach; y <= reach; ++y)
    for (std::int64_t x = -reach; x <= reach; ++x) all.push_back({y, x});
  std::stable_sort(all.begin(), all.end(), [](const Displacement& a, const Displacement& b) {
    return a.squared_length() < b.squared_length();
  });
  const auto outside = [=](const Displacement& z) {
    return std::abs(z.y) >= height || std::abs(z.x) >= width;
  };
  const auto first = std::find_if(all.begin(), all.end(), outside);
  if (first != all.end()) all.erase(std::remove_if(first + 1, all.end(), outside), all.end());
  return all;
}

void displace(MatrixView rows, const Layout& layout, Displacement z, MutableMatrixView moved) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::fill_n(moved.row(i), moved.cols, 0.0f);
    displace(rows.row(i), layout, z, moved.row(i));
  }
}

}  // namespace semblance::vectors
