// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace semblance::sets {

/// The least cost of moving the mass 1, spread evenly over `rows` places, to `columns` places with
/// an even spread; cost(i, j) = costs[i * columns + j] is that of moving the mass 1 from i to j.
/// Exact up to rounding: flows are integers. Assignment problems of few hundred rows are solved by
/// shortest augmenting paths with potentials (Edmonds & Karp 1972, Tomizawa 1971, as in Jonker &
/// Volgenant 1987), all others by the network simplex method. Polls frequently.
double transport_cost(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const std::function<void()>& poll = [] {});

/// transport_cost() by the network simplex method (LEMON), which is best for sets of different or
/// large sizes. Its pivots compare costs as integers, scaled so that the largest cost is 2^60 over
/// the number of places: its plan is the cheapest to that precision. Polls frequently.
double simplex_transport_cost(std::span<const double> costs, std::size_t rows, std::size_t columns,
                              const std::function<void()>& poll);

/// The same for numbers on a line with the cost |a - b|^order of moving the mass 1 from a to b, for
/// an order of at least 1: the smallest go to the smallest. Both lists are sorted on return.
double transport_cost_on_line(std::vector<double>& from, std::vector<double>& to, double order);

}  // namespace semblance::sets
