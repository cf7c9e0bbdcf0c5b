// SPDX-License-Identifier: MIT
#pragma once

#include "conformance/recorded_state.hpp"
#include "fuzzing.hpp"

namespace semblance::fuzzing {

/// What a component saved, in memory, to be damaged before it is loaded.
class DamagedState final : public conformance::RecordedState {
 public:
  bool empty() const { return entries_.empty(); }

  /// One damage to one entry, as the input says: a value, an element or a size becomes another, or
  /// the entry is gone.
  void damage(Input& input);
};

}  // namespace semblance::fuzzing
