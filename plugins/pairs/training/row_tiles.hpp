// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "semblance/collectives.hpp"

namespace semblance::pairs {

/// The rows of a matrix needed by all ranks, in tiles of 128, each computed by one thread of one
/// rank. A single tile is computed by all ranks: that takes no longer, and nothing is sent.
class RowTiles {
 public:
  RowTiles(std::size_t rows, const Collectives& ranks)
      : rows_(rows), rank_(ranks.rank()), ranks_(tiles() > 1 ? ranks.ranks() : 1) {}

  /// Calls body(first row, rows) for the own tiles, in parallel, unless a stop is requested.
  void for_each_own(Context& context,
                    const std::function<void(std::size_t, std::size_t)>& body) const;

  /// Gathers all rows of `matrix`, `width` values each, on all ranks. Collective.
  template <class T>
  void spread(T* matrix, std::size_t width, Context& context) const {
    if (ranks_ > 1) gather(reinterpret_cast<std::byte*>(matrix), width * sizeof(T), context);
  }

 private:
  static constexpr std::size_t tile_rows = 128;
  std::size_t tiles() const noexcept { return (rows_ + tile_rows - 1) / tile_rows; }
  std::size_t first(std::size_t rank) const noexcept { return tiles() * rank / ranks_; }
  std::size_t row(std::size_t tile) const noexcept { return std::min(rows_, tile * tile_rows); }
  void gather(std::byte* matrix, std::size_t width, Context& context) const;

  std::size_t rows_;
  std::size_t rank_;
  std::size_t ranks_;
};

}  // namespace semblance::pairs
