// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::numerics {

/// The entries of a lower triangle, counted row by row, for numbering tasks.
struct TrianglePlace {
  std::size_t row;
  std::size_t col;
};

inline constexpr std::size_t triangle_size(std::size_t n) noexcept { return n * (n + 1) / 2; }

inline constexpr TrianglePlace triangle_place(std::size_t index) noexcept {
  std::size_t row = 0;
  while (index > row) index -= ++row;
  return {row, index};
}

}  // namespace semblance::numerics
