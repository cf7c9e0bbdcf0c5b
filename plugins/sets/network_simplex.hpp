// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace semblance::sets {

/// transport_cost() by the network simplex method (LEMON), which is best for sets of different or
/// large sizes. Its pivots compare costs as integers, scaled so that the largest cost is 2^60 over
/// the number of places: its plan is the cheapest to that precision. Polls frequently.
double simplex_transport_cost(std::span<const double> costs, std::size_t rows, std::size_t columns,
                              const std::function<void()>& poll);

}  // namespace semblance::sets
