// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "members.hpp"

namespace semblance::numerics {

/// The largest violation: some variable that may grow has the gradient `least`, one that may
/// shrink `most`.
struct Violation {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double size() const { return most - least; }
};

/// A variable or a slot, and its key: the least comes first.
struct Candidate {
  double rank;
  std::uint32_t number;
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank < other.rank : number < other.number;
  }
};

/// The data for choosing the next working set: everything that the ranks of a distributed solution
/// exchange about their gradients.
struct Outlook {
  Violation worst;                            ///< over all active variables
  std::vector<Candidate> growing, shrinking;  ///< candidates for the set, the worst first
  std::vector<double> of_members;             ///< the gradient of the member in each slot
};

/// The largest number of variables that may grow, and of those that may shrink, that enter a
/// working set at once.
std::size_t most_of_a_side(std::size_t slots);

/// The outlook at a point. Throws Error on all ranks if a gradient is not finite. Collective if
/// variables are spread.
Outlook look(const DualPoint& point, const ActiveVariables& active, const Members& members);

}  // namespace semblance::numerics
