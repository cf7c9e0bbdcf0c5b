// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace semblance {

/// The least cost of moving the mass 1, spread evenly over `rows` places, to `columns` places where
/// it is spread evenly too; cost(i, j) = costs[i * columns + j] is that of moving the mass 1 from i
/// to j. Exact but for rounding: flows are whole numbers. Where it is an assignment problem of few
/// hundred rows, by shortest augmenting paths with potentials (Edmonds & Karp 1972, Tomizawa 1971,
/// as in Jonker & Volgenant 1987), else by the network simplex method. Polls all the time.
double transport_cost(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const std::function<void()>& poll = [] {});

/// The same between numbers on a line, where it costs |a - b|^order to move the mass 1 from a to b,
/// for an order of at least 1: the smallest go to the smallest. Both lists are sorted on return.
double transport_cost_on_line(std::vector<double>& from, std::vector<double>& to, double order);

}  // namespace semblance
