// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::evaluators {

/// The eigenvalues, ascending, of a symmetric matrix of order n. `matrix` is n x n and dense; only
/// one of its triangles is read, and it is overwritten. Takes 4/3 n^3 operations and little memory
/// besides. LAPACK's reduction to a tridiagonal matrix, panel by panel, so that a stop request is
/// seen in between: throws Cancelled then.
std::vector<double> symmetric_eigenvalues(std::vector<double>& matrix, std::size_t n,
                                          Context& context);

}  // namespace semblance::evaluators
