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

}  // namespace semblance::linear
