// SPDX-License-Identifier: MIT
#include "newton/shared_tiles.hpp"

#include <algorithm>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

std::size_t owner(std::size_t tile, const Collectives& ranks) noexcept {
  return tile % ranks.ranks();
}

}  // namespace

bool has_tile(std::size_t number, Context& context) noexcept {
  const Collectives& ranks = context.collectives();
  return owner(number, ranks) == ranks.rank();
}

template <class T>
void share_tiles(Vectors<T>& matrix, std::size_t tile, Context& context) {
  Collectives& ranks = context.collectives();
  if (ranks.ranks() == 1) return;
  const std::size_t d = matrix.cols(), tiles = (d + tile - 1) / tile;
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::size_t row = i * tile, height = std::min(tile, d - row);
    const auto for_tiles = [&](std::size_t rank, const auto& body) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (owner(numerics::triangle_size(i) + j, ranks) != rank) continue;
        const std::size_t col = j * tile, width = std::min(tile, d - col);
        for (std::size_t r = row; r < row + height; ++r) body(matrix.row(r) + col, width);
      }
    };
    std::vector<T> own;
    for_tiles(ranks.rank(),
              [&](const T* x, std::size_t width) { own.insert(own.end(), x, x + width); });
    const std::vector<T> all = ranks.gather(own);
    const T* from = all.data();
    for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
      for_tiles(rank, [&](T* x, std::size_t width) {
        std::copy_n(from, width, x);
        from += width;
      });
  }
}

template void share_tiles(Vectors<float>&, std::size_t, Context&);
template void share_tiles(Vectors<double>&, std::size_t, Context&);

}  // namespace semblance::linear
