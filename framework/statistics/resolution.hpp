// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/same_figure.hpp"

/// The rule of same_figure() for many figures at once.
namespace semblance::statistics {

/// What rounding can make of a zero between some of these values: rounding_of() the greatest
/// magnitude that is finite.
double resolution_of(std::span<const double> values);

/// Places of the values in ascending order, those that are the same in the order given: a value is
/// the same as the least of its group, so that a chain of small steps does not make one of all.
/// NaN come last, each alone.
struct Groups {
  std::vector<std::size_t> order;  ///< indices of the values
  std::vector<std::size_t> ends;   ///< of each group: one behind its last place in `order`
};
Groups groups_of_same(std::span<const double> values);

}  // namespace semblance::statistics
