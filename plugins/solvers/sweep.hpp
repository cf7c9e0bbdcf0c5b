// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"

namespace semblance::solvers {

using numerics::Vectors;

/// What is done between the two products: z holds count values x_r . v_c for each of the `rows`,
/// and is replaced by the factors that the rows are then summed with. To `tallies` it adds what
/// else it sums up over rows.
template <class T>
using RowBody = std::function<void(std::span<const std::size_t> rows, T* z, double* tallies)>;

/// What a sweep computes: z_r = V x_r, then the body, then out = sum_r z_r x_r^T (count x cols).
template <class T>
struct Sweep {
  const Vectors<T>* vectors = nullptr;  ///< V; without it z is left to the body
  std::size_t count = 0;
  RowBody<T> body;
  std::function<bool(std::size_t row)> takes;  ///< rows to take; empty: all
  Vectors<double>* out = nullptr;              ///< without it there is no second product
  std::span<double> tallies = {};              ///< where the body's own sums go
};

/// Reads the rows once, in parallel, each rank its own; sums go up the tree over the parts
/// (sum_over_parts()), and all ranks get them. V and `out` may have entries after the columns of
/// the rows: they stay out of the products. Sums are kept in T within a block of rows and in double
/// from block to block. False, with `out` and `tallies` unusable, when a stop was requested; polled
/// once a block. Collective where there are sums.
template <class T>
bool run_sweep(const Rows& rows, const Sweep<T>& sweep, Context& context);

/// How many sums over parts a process holds at once, at most.
std::size_t sums_at_once(std::size_t rows, std::size_t threads) noexcept;

/// How many sums over parts one of so many ranks sends for each sum over all rows, at most: those
/// nodes of the tree that it is left with.
std::size_t sums_sent(std::size_t rows, std::size_t ranks) noexcept;

}  // namespace semblance::solvers
