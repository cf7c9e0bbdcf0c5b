// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {

/// The directions of largest variance.
struct PrincipalAxes {
  std::vector<double> axes;       ///< orthonormal, one after the other, of descending variance
  std::vector<double> variances;  ///< of the rows along them, divided by n; 0 where none is left
};

/// How principal_axes() looks for them.
struct AxesSearch {
  std::size_t count = 0;       ///< axes wanted
  std::size_t width = 0;       ///< of the subspace, at least `count` and at most the columns
  std::size_t iterations = 0;  ///< products of the subspace with the covariance matrix, at least 1
};

/// The principal axes of centred rows by randomized subspace iteration (Halko, Martinsson and
/// Tropp, Finding structure with randomness, 2011, algorithm 4.4), without the covariance matrix: a
/// subspace drawn at random is multiplied with it `iterations` times, orthonormalized each time,
/// and the axes are taken from the subspace at the end. They are exact up to rounding if the rank
/// of the centred rows is at most the width. Products are float32, sums over rows double; the same
/// bits for any number of threads. Throws Error if the budget is too small.
PrincipalAxes principal_axes(const Rows& rows, std::span<const double> means,
                             const AxesSearch& search, Random random, Context& context);

}  // namespace semblance::normalizers
