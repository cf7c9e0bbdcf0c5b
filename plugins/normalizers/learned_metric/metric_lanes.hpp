// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::normalizers {

// Each sum has one order, so that its bits do not depend on the CPU.

/// Sums of absolute differences to bases that are given by columns: `columns` has `cols` rows of
/// `stride` values, the first `bases` of which count. `stride` is a multiple of distance_lanes.
void absolute_distances(const double* rows, std::size_t count, const double* columns,
                        std::size_t stride, std::size_t bases, std::size_t cols, double* out,
                        std::size_t out_stride);

constexpr std::size_t distance_lanes = 32, lanes_behind = 16;

/// gradients[k][c] += the sum over the bases j of weights[k][j] sign(p[c] - base j[c]), where
/// sign(0) is 0, for each of the `outputs`; all row-major. Reads up to lanes_behind values behind
/// the bases.
void add_signs(const double* weights, std::size_t outputs, const double* p, const double* bases,
               std::size_t count, std::size_t cols, double* gradients);

}  // namespace semblance::normalizers
