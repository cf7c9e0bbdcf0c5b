// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component_info.hpp"

namespace semblance {

/// Whether a component takes pairs of samples only: components nested in it get the samples, and
/// their parameters `first` and `second` say which.
inline bool takes_pairs_only(const ComponentInfo& info) {
  return !info.inputs.empty() && info.inputs.front().layouts.size() == 1 &&
         info.inputs.front().layouts.front() == LayoutKind::pair;
}

}  // namespace semblance
