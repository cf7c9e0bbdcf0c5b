// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance::numerics {

/// A symmetric matrix V^T diag(values) V.
template <class Scalar>
struct SymmetricEigen {
  std::vector<Scalar> values;   ///< ascending
  std::vector<Scalar> vectors;  ///< V, row-major: orthonormal eigenvectors, one per row
};

/// The largest matrix size: LAPACK stores the size of its work space, 2 n^2 + 6 n + 1, in an int.
inline constexpr std::size_t most_eigen_order = 32766;

/// Decomposes a row-major matrix of n x n values, of which only the lower triangle is read, by
/// LAPACK's divide and conquer (syevd). It runs on one thread, so the bits do not depend on the
/// number of threads. The values must be finite. Throws Error if n is above most_eigen_order, if
/// there are not n x n values, or if it does not converge. Scalar is float or double. Needs memory
/// for 3 n^2 scalars, including the matrix.
template <class Scalar>
SymmetricEigen<Scalar> symmetric_eigen(std::vector<Scalar> matrix, std::size_t n);

extern template SymmetricEigen<float> symmetric_eigen(std::vector<float>, std::size_t);
extern template SymmetricEigen<double> symmetric_eigen(std::vector<double>, std::size_t);

}  // namespace semblance::numerics
