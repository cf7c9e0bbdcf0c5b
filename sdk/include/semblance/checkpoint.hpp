// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "semblance/state.hpp"

namespace semblance {

/// Where a long training saves its progress now and then, so that an interrupted run resumes from
/// there. Context::checkpoint() gives each component its own. The saved state is found again only
/// by the same component with the same parameters, seed and inputs, and is deleted once the
/// component has learned.
///
/// A resumed component must end with the same bits as an uninterrupted one. So it saves everything
/// that its further steps depend on (running sums, the state of its random stream), and its results
/// must not depend on whether or when it saves.
///
/// All members are collective (Collectives): all ranks call them in the same order and get the same
/// answers.
class Checkpoint {
 public:
  virtual ~Checkpoint();

  /// Whether it is time to save. Cheap, but costs one message between ranks: call it once per sweep
  /// or batch.
  virtual bool due() = 0;

  /// Saves what `write` writes, in place of the previous state, atomically. `write` is called on
  /// the first rank only, so values spread over the ranks (such as values per row) must be gathered
  /// first.
  virtual void keep(const std::function<void(StateWriter& state)>& write) = 0;

  /// The last state that the interrupted run saved, on all ranks; null if there is none. A state
  /// that cannot be read or does not fit counts as none: do not throw, start from the beginning.
  virtual const StateReader* kept() = 0;
};

/// A checkpoint that is never due and has no state, for runs without checkpoints.
Checkpoint& no_checkpoint() noexcept;

}  // namespace semblance
