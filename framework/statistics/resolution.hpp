// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/same_figure.hpp"

/// The rule of same_figure() for many figures at once.
namespace semblance::statistics {

/// The largest zero that rounding can produce between some of these values: rounding_of() the
/// greatest finite magnitude.
double resolution_of(std::span<const double> values);

/// The values grouped in ascending order; equal values retain their order. A value belongs to a
/// group if it equals the group's least value, so that a chain of small steps does not become one
/// group. NaN come last, each in its own group.
struct Groups {
  std::vector<std::size_t> order;  ///< indices of the values
  std::vector<std::size_t> ends;   ///< for each group: one past its last position in `order`
};
Groups groups_of_same(std::span<const double> values);

}  // namespace semblance::statistics
