// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance::bases {

/// Calls body(i) for all i in [0, count), in any order, possibly in parallel.
using ParallelFor =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& body)>;

/// Turns a matrix of similarities s(column, row) of some rows with themselves into squared
/// distances s(i, i) + s(j, j) - s(i, j) - s(j, i): those of the feature space if s is a kernel.
/// For measures that are not symmetric this uses the symmetric part.
void distances_from_similarities(MutableMatrixView similarities);

struct Medoids {
  std::vector<std::size_t> rows;  ///< ascending
  double cost = 0;                ///< sum of each row's distance to its nearest medoid
  std::size_t iterations = 0;
  bool converged = false;
};

/// k-medoids: starts greedily, each next medoid being the row that lowers the cost most (Kaufman
/// and Rousseeuw's BUILD), then alternates: rows go to their nearest medoid, each cluster takes
/// the row with the least sum of distances (Park and Jun 2009). Ties go to the lower row, so that
/// the result does not depend on the order of the parallel parts. `distances` is square,
/// symmetric; `count` at most its rows. O(count n^2) time.
Medoids find_medoids(MatrixView distances, std::size_t count, std::size_t iterations,
                     const ParallelFor& parallel);

}  // namespace semblance::bases
