// SPDX-License-Identifier: MIT
#pragma once

#include "sweep.hpp"

namespace semblance::solvers {

/// run_sweep() on sparse rows, of one rank. V is laid out by columns first, so that a column is
/// looked up once for all vectors; the sums of a column run over the rows in their order, whatever
/// thread has the column.
template <class T>
bool run_sparse_sweep(const Rows& rows, const Sweep<T>& sweep, Context& context);

/// How many values sparse rows have together, one more a row for the constant that is appended.
double sparse_values(const Rows& rows);

/// Bytes that it takes besides V and `out`.
std::size_t sparse_sweep_bytes(std::size_t rows, std::size_t cols, std::size_t count) noexcept;

}  // namespace semblance::solvers
