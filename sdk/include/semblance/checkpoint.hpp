// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "semblance/state.hpp"

namespace semblance {

/// Where a long training keeps how far it has come, now and then, so that a run that was cut off
/// goes on from there. Context::checkpoint() gives a component its own; what it keeps is found
/// again only by the same component with the same parameters, seed and inputs, and is gone once the
/// component has learned.
///
/// A component that goes on must end with the bits of one that was never cut off, so it keeps all
/// that its further steps depend on (sums that were carried along, the state of its random stream),
/// and what it computes must not depend on whether or when it keeps.
///
/// All members are collective (Collectives): all ranks call them in the same order, and get the
/// same answers.
class Checkpoint {
 public:
  virtual ~Checkpoint();

  /// Whether it is time to keep. Cheap, but one message among ranks: ask once a sweep or batch.
  virtual bool due() = 0;

  /// Keeps what `write` writes, in place of what was kept before: at once and whole, or not at
  /// all. It is called on the first rank alone, so whatever ranks have apart (values by row) must
  /// be gathered first.
  virtual void keep(const std::function<void(StateWriter& state)>& write) = 0;

  /// What the run that was cut off kept last, on all ranks; null where there is none. What cannot
  /// be read, or does not fit, counts as none: throw nothing, begin at the beginning.
  virtual const StateReader* kept() = 0;
};

/// Never due, and nothing kept: where a run does not keep any.
Checkpoint& no_checkpoint() noexcept;

}  // namespace semblance
