// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace semblance {

/// transport_cost() by the network simplex method (LEMON), which takes sets of unlike and of large
/// sizes best. Its pivots compare costs as whole numbers, of which the largest cost has 2^60 over
/// the number of places: the plan that it finds is the cheapest to that precision. Polls all the
/// time.
double simplex_transport_cost(std::span<const double> costs, std::size_t rows, std::size_t columns,
                              const std::function<void()>& poll);

}  // namespace semblance
