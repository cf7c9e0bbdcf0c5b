// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "semblance/parameters.hpp"

namespace semblance::pairs {

/// The factors of the losses of pairs: the parameter `class_weights` of a pair solver, {same: 2,
/// different: 1}; 1 by default.
struct PairWeights {
  double same = 1;
  double different = 1;

  PairWeights() = default;
  /// Throws Error if another name is given, or a weight that is not a number above 0.
  explicit PairWeights(const NamedValues& given);

  bool equal() const noexcept { return same == different; }
  double of(std::int32_t label) const noexcept { return label > 0 ? same : different; }
};

}  // namespace semblance::pairs
