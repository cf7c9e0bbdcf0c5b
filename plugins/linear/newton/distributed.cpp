// SPDX-License-Identifier: MIT
#include "newton/distributed.hpp"

#include <algorithm>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

std::size_t owner(std::size_t tile, const Collectives& ranks) noexcept {
  return tile % ranks.ranks();
}

/// Fills `values`, an equal number for each of `items`, in blocks; f fills an own block. The blocks
/// are assigned to the ranks in turn, since their costs may differ. Collective.
template <class T, class F>
void share(std::vector<T>& values, std::size_t items, Context& context, const F& f) {
  Collectives& ranks = context.collectives();
  const std::size_t each = values.size() / items, blocks = block_count(items);
  const std::size_t own = (blocks + ranks.ranks() - 1 - ranks.rank()) / ranks.ranks();
  context.parallel_for(own, [&](std::size_t k) {
    const std::size_t block = ranks.rank() + k * ranks.ranks();
    if (context.stop_requested() == StopReason::none) f(block, &values[block * block_rows * each]);
  });
  if (ranks.ranks() == 1) return;
  const auto size_of = [&](std::size_t block) {
    return std::min(block_rows, items - block * block_rows) * each;
  };
  std::vector<T> sent;
  for (std::size_t block = ranks.rank(); block < blocks; block += ranks.ranks()) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(block * block_rows * each);
    sent.insert(sent.end(), from, from + static_cast<std::ptrdiff_t>(size_of(block)));
  }
  const std::vector<T> all = ranks.gather(sent);
  const T* from = all.data();
  for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
    for (std::size_t block = rank; block < blocks; block += ranks.ranks()) {
      std::copy_n(from, size_of(block), &values[block * block_rows * each]);
      from += size_of(block);
    }
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

std::vector<float> SharedMatrix::times(const Vectors<float>& v, Context& context) const {
  const std::size_t n = v.count();
  std::vector<float> z(rows() * n);
  share(z, rows(), context, [&](std::size_t block, float* to) {
    std::vector<float> partial;
    for_groups(block, n, [&](const Group& group, std::size_t columns) {
      partial.resize(common::multiply_scratch(group.rows.size(), n));
      common::multiply({group.rows.data(), group.rows.size(), columns}, v.row(0), v.stride(), n,
                       partial.data(), to);
      to += group.rows.size() * n;
    });
  });
  return z;
}

std::vector<double> SharedMatrix::transposed_times(std::span<const float> z, std::size_t n,
                                                   Context& context) const {
  std::vector<double> out(cols() * n);
  share(out, cols(), context, [&](std::size_t columns, double* to) { slice(columns, z, n, to); });
  return out;
}

/// A block of columns of the product.
void SharedMatrix::slice(std::size_t columns, std::span<const float> z, std::size_t n,
                         double* to) const {
  const std::size_t first = columns * block_rows;
  const std::size_t width = std::min(block_rows, cols() - first);
  Vectors<float> sum(n, width);
  const std::size_t begin = shape_ == Shape::full ? 0 : columns;
  for (std::size_t block = begin; block < block_count(rows()); ++block) {
    sum.fill(0);
    for_groups(block, n, [&](Group& group, std::size_t) {
      for (const float*& row : group.rows) row += first;
      common::multiply_transposed({group.rows.data(), group.rows.size(), width},
                                  &z[group.first * n], n, sum.row(0), sum.stride());
    });
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t j = 0; j < width; ++j) to[j * n + a] += double{sum.row(a)[j]};
  }
}

}  // namespace semblance::linear
