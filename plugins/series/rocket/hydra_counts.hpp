// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include "rocket/hydra_kernels.hpp"
#include "rocket/minirocket_kernels.hpp"
#include "semblance/matrix.hpp"

namespace semblance::series {

/// Writes the figures of each series into a row of `out`, which has bank.columns(). At each step a
/// kernel responds with the sum of its weights times the nine values around the step, `dilation`
/// steps apart, zeros lying around the series. In a group, the kernel with the largest response
/// wins, and the one with the smallest loses; ties go to the first. The figures of a kernel are
///
///     the sum of its responses at the steps where it wins
///     the number of steps where it loses
///
/// Columns are ordered by dilation, series before differences, the first figure before the second,
/// group and kernel. Each series has 2 steps or more, and values of at most rocket_largest_value.
/// The bits depend neither on other series nor on the machine, if it has AVX2 or AVX-512. `poll` is
/// called often and may throw.
///
/// Each lane has one series. Bound by vector operations: 72 multiply-adds for the responses of a
/// group at a step, and some 60 comparisons, selections and additions for winners and losers.
void count_winners(const HydraBank& bank, std::span<const SeriesView> series, MutableMatrixView out,
                   const std::function<void()>& poll);

}  // namespace semblance::series
