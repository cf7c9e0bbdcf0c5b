// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "working_set.hpp"

/// Selection of the working set by the largest violations of the optimality conditions (Joachims
/// 1998, section 3; Keerthi et al. 2001). With b = y alpha, a variable is in I_up if b may increase
/// and in I_low if it may decrease; free variables are in both.
namespace semblance::numerics {

/// The most violating pair: the least gradient in I_up and the largest in I_low.
struct Violation {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double size() const { return most - least; }
};

/// A variable or a slot, and its key: the least comes first.
struct Candidate {
  double key;
  std::uint32_t number;
  bool operator<(const Candidate& other) const {
    return key != other.key ? key < other.key : number < other.number;
  }
};

/// What selection needs of the gradients.
struct Violators {
  Violation worst;                 ///< over all variables
  std::vector<Candidate> up, low;  ///< violators outside of the working set, the worst first
  std::vector<double> gradients;   ///< of the variable in each slot of the working set
};

/// The violators at a point. Throws Error if a gradient is not finite.
Violators find_violators(const DualPoint& point, const WorkingSet& set);

/// A variable that enters the working set, and its gradient.
struct Entering {
  std::uint32_t variable;
  double gradient;
};

/// The first working set, at zero, when nothing is known yet: variables of both labels, evenly
/// spread.
std::vector<Entering> first_working_set(const DualPoint& point, std::size_t slots);

/// The worst violators outside of the working set, the worst first: from I_up and from I_low, an
/// eighth of the set each.
std::vector<Entering> select_entering(const Violators& violators);

/// Slots for `count` entering variables: empty ones, then those of variables at a bound, the most
/// satisfied first, then the oldest. The most violating pair stays.
std::vector<std::size_t> select_slots(const DualPoint& point, const WorkingSet& set,
                                      const Violators& violators, std::size_t count);

}  // namespace semblance::numerics
