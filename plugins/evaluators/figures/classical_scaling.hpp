// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance::evaluators {

/// Places in the plane whose distances come closest to those that similarities stand for.
struct PlanePlaces {
  std::vector<double> places;  ///< n x 2
  /// How much of the centred similarities the plane shows: its squared norm as a share of theirs,
  /// in [0, 1].
  double shown = 0;
};

/// Classical scaling (Torgerson, "Multidimensional scaling: I. Theory and method", Psychometrika
/// 17(4), 1952): the two leading eigenvectors of J K J, where J subtracts means, each times the
/// root of its eigenvalue. `similarities` is K, n x n and symmetric; their squared distances are
/// K_ii + K_jj - 2 K_ij. An eigenvalue that is not positive gives a coordinate of 0. The largest
/// coordinate of an axis, by magnitude, is positive. About 4/3 n^3 operations, which see no stop
/// request.
PlanePlaces classical_scaling(std::vector<double> similarities, std::size_t n);

}  // namespace semblance::evaluators
