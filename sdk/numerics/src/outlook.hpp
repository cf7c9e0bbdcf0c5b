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

/// A variable, or a slot, and what decides between them: the least comes first.
struct Candidate {
  double rank;
  std::uint32_t number;
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank < other.rank : number < other.number;
  }
};

/// What the next working set is chosen by: all that ranks which solve a problem together have to
/// tell each other of their gradients.
struct Outlook {
  Violation worst;                            ///< over all variables that take part
  std::vector<Candidate> growing, shrinking;  ///< who is to enter the set, the worst first
  std::vector<double> of_members;             ///< the gradient of the member in each slot
};

/// How many enter a working set at once of those that may grow, and of those that may shrink.
std::size_t most_of_a_side(std::size_t slots);

/// What is to be seen at a point. Throws Error where a gradient is not finite, on all ranks alike.
/// Collective where variables are spread.
Outlook look(const DualPoint& point, const ActiveVariables& active, const Members& members);

}  // namespace semblance::numerics
