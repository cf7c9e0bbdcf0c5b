// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// An optional interface of solvers that learn a machine for each of several costs C, one starting
/// from another, and use one of them.
class CostPath {
 public:
  virtual ~CostPath();

  /// The number of machines; 1 for one that was loaded, or that learned for a single cost.
  virtual std::size_t costs() const noexcept = 0;

  /// Uses the machine of this cost, in the order of growing costs, from now on: for scores, and as
  /// the learned state. The last one is used after training. Not while the solver computes.
  virtual void use_cost(std::size_t number) = 0;
};

}  // namespace semblance
