// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::evaluators {

/// The eigenvalues, ascending, of a symmetric matrix of order n. `matrix` is n x n and dense; only
/// one of its triangles is read, and it is overwritten. Takes 4/3 n^3 operations and little
/// additional memory. Uses LAPACK's reduction to a tridiagonal matrix, panel by panel, with checks
/// for a stop request in between: throws Cancelled then.
std::vector<double> symmetric_eigenvalues(std::vector<double>& matrix, std::size_t n,
                                          Context& context);

/// The largest order of real_parts_of_eigenvalues(), which sees no stop request: seconds.
inline constexpr std::size_t most_general_order = 2048;

/// The real parts, ascending, of the eigenvalues of any matrix of order n, n x n and dense, which
/// is overwritten. Takes about 10 n^3 operations (LAPACK's geev). Throws Error above
/// most_general_order, or if it does not converge.
std::vector<double> real_parts_of_eigenvalues(std::vector<double>& matrix, std::size_t n);

}  // namespace semblance::evaluators
