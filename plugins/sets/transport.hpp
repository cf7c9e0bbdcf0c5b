// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace semblance {

/// The least cost of moving the mass 1, spread evenly over `rows` places, to `columns` places where
/// it is spread evenly too; cost(i, j) = costs[i * columns + j] is that of moving the mass 1 from i
/// to j. Exact but for rounding: flows are whole numbers. By shortest augmenting paths with
/// potentials (Edmonds & Karp 1972, Tomizawa 1971; for as many rows as columns it is the
/// assignment problem, as in Jonker & Volgenant 1987). O((rows + columns) rows columns) operations
/// as a rule; polls once a path, which takes about rows * columns of them.
double transport_cost(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const std::function<void()>& poll = [] {});

/// The same between numbers on a line, where it costs |a - b|^order to move the mass 1 from a to b,
/// for an order of at least 1: the smallest go to the smallest. Both lists are sorted on return.
double transport_cost_on_line(std::vector<double>& from, std::vector<double>& to, double order);

}  // namespace semblance
