// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace semblance::graphs {

/// The column of each row in an assignment of rows to different columns whose costs have the least
/// sum; costs[i * columns + j] is that of row i and column j. There are no more rows than columns.
/// Exact up to rounding; polls once per row.
std::vector<std::uint32_t> least_assignment(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const std::function<void()>& poll = [] {});

}  // namespace semblance::graphs
