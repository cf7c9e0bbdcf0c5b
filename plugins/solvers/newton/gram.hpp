// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// A row of the data and what x x^T is multiplied with; of any sign.
struct WeightedRow {
  std::size_t row;
  double weight;
};

/// How rows enter a Gram matrix: `bias` appended unless it is 0, then each column multiplied with
/// its entry of `scale`, unless that is empty; then the `chosen` columns only, unless that is
/// empty.
struct GramColumns {
  double bias = 0;
  std::span<const double> scale;
  std::span<const std::size_t> chosen = {};
};

/// Adds sum weight x x^T to the lower triangle of `matrix`, products and sums in T (float or
/// double), tile by tile in parallel; the bits do not depend on the threads. All weights have the
/// same sign. For a process that has all rows. False when a stop was requested; polled once a few
/// hundred rows.
template <class T>
bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<T>& matrix, Context& context);

/// The same on all ranks, with the same bits: `chosen` are own rows, in ascending order. Rows go to
/// all ranks, a few hundred at a time; each rank computes some of the tiles, and all get them.
/// `matrix` is zero before. Collective.
template <class T>
bool share_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& matrix, Context& context);

/// What share_grams() adds to one matrix.
struct GramTask {
  std::size_t keeper = 0;                ///< the rank that has the matrix
  std::vector<WeightedRow> chosen = {};  ///< own rows, in ascending order
  GramColumns columns = {};
  Vectors<double>* matrix = nullptr;  ///< not looked at on other ranks
};

/// add_gram() for several matrices, each on one rank; with the same bits. Fastest where the tasks
/// of the ranks come in turn. Collective.
bool share_grams(const Rows& rows, std::span<const GramTask> tasks, Context& context);

/// Bytes that add_gram() takes besides its matrix.
std::size_t gram_bytes(std::size_t dimension, std::size_t value_bytes) noexcept;

}  // namespace semblance::solvers
