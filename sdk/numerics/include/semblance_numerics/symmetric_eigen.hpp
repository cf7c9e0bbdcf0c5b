// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance::numerics {

/// A symmetric matrix V^T diag(values) V.
template <class Scalar>
struct SymmetricEigen {
  std::vector<Scalar> values;   ///< ascending
  std::vector<Scalar> vectors;  ///< V, row-major: orthonormal eigenvectors, one a row
};

/// The largest matrix: LAPACK counts its work space, 2 n^2 + 6 n + 1 numbers, in an int.
inline constexpr std::size_t most_eigen_order = 32766;

/// Decomposes a row-major matrix of n x n values, of which the lower triangle is read, by LAPACK's
/// divide and conquer (syevd), on one thread: the same bits whatever the machine's number of
/// threads. The values must be finite. Throws Error where n is above most_eigen_order, where there
/// are not n x n values, or where it does not converge. Scalar is float or double; it takes 3 n^2
/// of them, the matrix included.
template <class Scalar>
SymmetricEigen<Scalar> symmetric_eigen(std::vector<Scalar> matrix, std::size_t n);

extern template SymmetricEigen<float> symmetric_eigen(std::vector<float>, std::size_t);
extern template SymmetricEigen<double> symmetric_eigen(std::vector<double>, std::size_t);

}  // namespace semblance::numerics
