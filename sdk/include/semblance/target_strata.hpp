// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace semblance {

/// The rows in ascending order of their first target; ties stay in their order. `targets` are rows
/// x `width`, as Dataset::targets(). Rows whose first target is unknown (NaN) are omitted.
std::vector<std::size_t> order_of_targets(std::span<const double> targets, std::size_t width);

/// Divides the rows by the quantiles of their first target: each stratum has `size` rows that
/// follow each other in order_of_targets(), and the last one also those that remain, so that it has
/// up to 2 size - 1. Returns the stratum of each row, from 0; -1 where the first target is unknown.
/// They serve as classes where rows are to be drawn evenly over all targets.
std::vector<std::int32_t> target_strata(std::span<const double> targets, std::size_t width,
                                        std::size_t size);

}  // namespace semblance
