// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/collectives.hpp"
#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The rank that does the single-process work of a problem and stores its matrices.
inline std::size_t owner_of(std::size_t problem, Context& context) noexcept {
  return problem % context.collectives().ranks();
}
inline bool owns(std::size_t problem, Context& context) noexcept {
  return owner_of(problem, context) == context.collectives().rank();
}

/// Sends the vectors of these problems from their owners to all ranks. Collective.
inline void share_vectors(std::span<const std::size_t> problems, Vectors<double>& vectors,
                          Context& context) {
  Collectives& ranks = context.collectives();
  if (ranks.ranks() == 1) return;
  const std::size_t d = vectors.cols();
  std::vector<double> own;
  for (const std::size_t c : problems)
    if (owns(c, context)) own.insert(own.end(), vectors.row(c), vectors.row(c) + d);
  const std::vector<double> all = ranks.gather(own);
  const double* from = all.data();
  for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
    for (const std::size_t c : problems) {
      if (owner_of(c, context) != rank) continue;
      std::copy_n(from, d, vectors.row(c));
      from += d;
    }
}

/// Whether this rank computes a tile of a lower triangle, one of those that triangle_place()
/// numbers.
bool has_tile(std::size_t number, Context& context) noexcept;

/// Sends every rank the tiles of a lower triangle that it has not computed, one row of tiles at a
/// time. `tile`: the side of a tile. Collective.
template <class T>
void share_tiles(Vectors<T>& matrix, std::size_t tile, Context& context);

/// A float32 matrix on all ranks, and its products with a few vectors, computed jointly. The bits
/// depend neither on the threads nor on the ranks.
class SharedMatrix {
 public:
  enum class Shape { full, lower_triangular };
  SharedMatrix() = default;
  SharedMatrix(Vectors<float> values, Shape shape) : values_(std::move(values)), shape_(shape) {}

  std::size_t rows() const noexcept { return values_.count(); }
  std::size_t cols() const noexcept { return values_.cols(); }

  /// z[i * n + a] = row i . v_a for all n vectors. Collective. Unusable after a stop request, like
  /// the next function's result; the caller also notices the request.
  std::vector<float> times(const Vectors<float>& v, Context& context) const;

  /// out[j * n + a] = sum_i z[i * n + a] x_ij, in float32 within a block of rows and in double
  /// across blocks. Collective.
  std::vector<double> transposed_times(std::span<const float> z, std::size_t n,
                                       Context& context) const;

  /// Some rows of a block that fit into the cache.
  struct Group {
    std::vector<const float*> rows;
    std::size_t first;  ///< row
  };

  /// Calls f with the groups of a block of rows, in order, and with its columns.
  template <class F>
  void for_groups(std::size_t block, std::size_t n, const F& f) const {
    const std::size_t end = std::min((block + 1) * block_rows, rows());
    const std::size_t columns = shape_ == Shape::full ? cols() : end;
    const std::size_t step = common::rows_in_cache(columns, n);
    Group group;
    for (group.first = block * block_rows; group.first < end; group.first += step) {
      group.rows.clear();
      for (std::size_t i = group.first; i < std::min(end, group.first + step); ++i)
        group.rows.push_back(values_.row(i));
      f(group, columns);
    }
  }

 private:
  void slice(std::size_t columns, std::span<const float> z, std::size_t n, double* to) const;

  Vectors<float> values_;
  Shape shape_ = Shape::full;
};

}  // namespace semblance::linear
