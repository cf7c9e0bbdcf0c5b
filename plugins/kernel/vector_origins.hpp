// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semblance/decision_values.hpp"
#include "semblance/state.hpp"

namespace semblance::kernel {

/// Where the vectors of a machine come from. A model has it, so that explanations and drawings can
/// name the samples; nothing is computed from it.
struct VectorOrigins {
  std::vector<std::uint32_t> rows = {};  ///< the training sample of each; empty: not known
  std::vector<VectorRole> roles = {};    ///< of a classifier

  void save(StateWriter& state) const;
  /// Empty for a model of an older version. Throws Error if the arrays do not fit.
  static VectorOrigins load(const StateReader& state, std::size_t vectors);
};

}  // namespace semblance::kernel
