// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"

namespace semblance::solvers {

using numerics::Vectors;

/// How the rows are shared out: consecutive blocks of block_rows rows make a group, a group is the
/// work of one task and has its own sums. Depends on the sizes only, so sums do not depend on the
/// number of threads.
struct Grouping {
  std::size_t rows = 0;
  std::size_t groups = 1;

  /// At most 32 groups, fewer where `doubles_each` sums of a group would add up to too much.
  Grouping(std::size_t rows, std::size_t doubles_each);
  std::size_t first_row(std::size_t group) const noexcept {
    return std::min(rows, block_count(rows) * group / groups * block_rows);
  }
};

/// What is done between the two products: z holds count values x_r . v_c for each of the `rows`,
/// and is replaced by the factors that the rows are then summed with.
template <class T>
using RowBody = std::function<void(std::size_t group, std::span<const std::size_t> rows, T* z)>;

/// What a sweep computes: z_r = V x_r, then the body, then out = sum_r z_r x_r^T (count x cols).
template <class T>
struct Sweep {
  const Vectors<T>* vectors = nullptr;  ///< V; without it z is left to the body
  std::size_t count = 0;
  RowBody<T> body;
  std::function<bool(std::size_t row)> takes;  ///< rows to take; empty: all
  Vectors<double>* out = nullptr;              ///< without it there is no second product
};

/// Reads the rows once, in parallel. V and `out` may have entries after the columns of the rows:
/// they stay out of the products. Sums are kept in T within a block of rows and in double from
/// block to block. False, with `out` unusable, when a stop was requested; polled once a block.
template <class T>
bool run_sweep(const Rows& rows, const Grouping& grouping, const Sweep<T>& sweep, Context& context);

}  // namespace semblance::solvers
