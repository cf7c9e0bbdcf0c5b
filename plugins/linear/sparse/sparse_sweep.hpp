// SPDX-License-Identifier: MIT
#pragma once

#include "problem/sweep.hpp"

namespace semblance::linear {

/// run_sweep() on sparse rows, on one rank. V is laid out by columns first, so that a column is
/// looked up once for all vectors. The sums of a column run over the rows in order, on any thread.
template <class T>
bool run_sparse_sweep(const Rows& rows, const Sweep<T>& sweep, Context& context);

/// The number of values of all sparse rows, plus one per row for the appended constant.
double sparse_values(const Rows& rows);

/// Bytes that it needs in addition to V and `out`.
std::size_t sparse_sweep_bytes(std::size_t rows, std::size_t cols, std::size_t count) noexcept;

}  // namespace semblance::linear
