// SPDX-License-Identifier: MIT
#include "training/row_tiles.hpp"

#include <cstring>
#include <span>

namespace semblance::pairs {

void RowTiles::for_each_own(Context& context,
                            const std::function<void(std::size_t, std::size_t)>& body) const {
  const std::size_t from = ranks_ > 1 ? first(rank_) : 0;
  const std::size_t to = ranks_ > 1 ? first(rank_ + 1) : tiles();
  context.parallel_for(to - from, [&](std::size_t k) {
    if (context.stop_requested() != StopReason::none) return;
    body(row(from + k), row(from + k + 1) - row(from + k));
  });
}

void RowTiles::gather(std::byte* matrix, std::size_t width, Context& context) const {
  const std::size_t from = row(first(rank_)), to = row(first(rank_ + 1));
  const std::vector<std::byte> all = context.collectives().gather(
      std::span<const std::byte>(matrix + from * width, (to - from) * width));
  // The order by rank is the order by row.
  std::memcpy(matrix, all.data(), all.size());
}

}  // namespace semblance::pairs
