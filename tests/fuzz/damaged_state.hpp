// SPDX-License-Identifier: MIT
#pragma once

#include "conformance/recorded.hpp"
#include "fuzzing.hpp"

namespace semblance::fuzzing {

/// The saved state of a component in memory, to be damaged before loading.
class DamagedState final : public conformance::RecordedState {
 public:
  bool empty() const { return entries_.empty(); }

  /// Damages one entry as given by the input: changes a value, an element or a size, or removes the
  /// entry.
  void damage(Input& input);
};

}  // namespace semblance::fuzzing
