// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/sweep.hpp"

namespace semblance::linear {

/// run_sweep() on sparse rows, on one rank. V is laid out by columns first, so that a column is
/// looked up once for all vectors. The sums of a column run over the rows in order, on any thread.
/// `centre`: subtracted from the rows, as V x - V m and sum_r z_r x_r^T - (sum_r z_r) m^T; empty:
/// nothing.
template <class T>
bool run_sparse_sweep(const Rows& rows, std::span<const double> centre, const Sweep<T>& sweep,
                      Context& context);

/// Bounds of ranges of columns with about equal numbers of entries, estimated from some rows.
std::vector<std::size_t> balanced_columns(const Rows& rows, std::size_t ranges);

/// The number of values of all sparse rows, plus one per row for the appended constant.
double sparse_values(const Rows& rows);

/// Bytes that it needs in addition to V and `out`.
std::size_t sparse_sweep_bytes(std::size_t rows, std::size_t cols, std::size_t count) noexcept;

}  // namespace semblance::linear
