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
#include "tall_matrix.hpp"

namespace semblance::linear {

using numerics::padded;
using numerics::Vectors;

inline bool stopped(const Context& context) { return context.stop_requested() != StopReason::none; }

/// The inner product, summed in the order of the entries.
inline double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

/// The operation between the two products: z holds `count` values x_r . v_c for each of the `rows`
/// and is replaced by the factors for summing the rows. Other sums over rows are added to
/// `tallies`.
template <class T>
using RowBody = std::function<void(std::span<const std::size_t> rows, T* z, double* tallies)>;

/// The computation of a sweep: z_r = V x_r, then the body, then out = sum_r z_r x_r^T (count x
/// cols).
template <class T>
struct Sweep {
  const Vectors<T>* vectors = nullptr;  ///< V; if null, the body sets z
  std::size_t count = 0;
  RowBody<T> body;
  std::function<bool(std::size_t row)> takes;  ///< rows to include; empty: all
  Vectors<double>* out = nullptr;              ///< if null, there is no second product
  std::span<double> tallies = {};              ///< the body's own sums
  const gpu::TallMatrix* on_gpu = nullptr;     ///< the rows, if a GPU computes both products
};

/// Reads the rows once, in parallel, each rank its own. Sums go up the tree over the parts
/// (sum_over_parts()), and all ranks get them. V and `out` may have entries after the columns of
/// the rows, which are not part of the products. Sums are in T within a block of rows and in double
/// across blocks. False, with `out` and `tallies` unusable, if a stop was requested; polled once
/// per block. Collective if there are sums.
template <class T>
bool run_sweep(const Rows& rows, const Sweep<T>& sweep, Context& context);

}  // namespace semblance::linear
