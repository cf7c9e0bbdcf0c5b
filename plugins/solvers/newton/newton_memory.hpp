// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

/// Bytes that minimise() holds for so many own rows, the preconditioner aside.
std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t threads);
std::size_t newton_bytes(const SquaredHinge& problem, const Context& context);

/// How many problems to solve at once. Problems that share sweeps and a preconditioner depend on
/// each other in the last bits, so it is the sizes that decide, not what memory there is, nor how
/// many threads or ranks.
std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems);

/// Bytes that all exact Hessians, or all working sets of columns, of a batch may take together: as
/// many as the rows, or a few hundred mebibytes where these are fewer. No budget comes in, for the
/// bits depend on it.
std::size_t hessian_allowance(std::size_t rows, std::size_t dimension) noexcept;

}  // namespace semblance::solvers
