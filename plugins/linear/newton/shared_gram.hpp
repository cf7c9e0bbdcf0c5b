// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "newton/gram.hpp"

namespace semblance::linear {

/// add_gram() on all ranks, with the same bits: `chosen` are own rows, in ascending order. Rows are
/// sent to all ranks, a few hundred at a time; each rank computes some of the tiles, and all ranks
/// get the result. `matrix` must be zero before. Collective.
template <class T>
bool share_gram(const Rows& rows, std::vector<WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& matrix, Context& context);

/// The task of share_grams() for one matrix.
struct GramTask {
  std::size_t keeper = 0;                ///< the rank that has the matrix
  std::vector<WeightedRow> chosen = {};  ///< own rows, in ascending order
  GramColumns columns = {};
  Vectors<double>* matrix = nullptr;  ///< ignored on other ranks
};

/// add_gram() for several matrices, each on one rank; with the same bits. Fastest if the tasks of
/// the ranks alternate. Collective.
bool share_grams(const Rows& rows, std::span<const GramTask> tasks, Context& context);

}  // namespace semblance::linear
