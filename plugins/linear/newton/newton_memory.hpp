// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::linear {

/// Bytes that Newton's method needs for this number of own rows, without the preconditioner.
std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t threads);

/// The number of problems to solve at once. Problems that share sweeps and a preconditioner affect
/// each other's last bits, so it depends only on sizes, not on memory, threads or ranks.
std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems);

/// Limit in bytes for all exact Hessians, or all working sets of columns, of a batch: the size of
/// the rows, but at least a few hundred mebibytes. It does not depend on the memory budget, since
/// the bits depend on it.
std::size_t hessian_allowance(std::size_t rows, std::size_t dimension) noexcept;

}  // namespace semblance::linear
