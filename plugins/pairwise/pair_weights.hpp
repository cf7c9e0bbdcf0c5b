// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "semblance/parameters.hpp"

namespace semblance::pairwise {

/// What the losses of pairs are multiplied with: the parameter `class_weights` of a solver of
/// pairs, {same: 2, different: 1}; 1 for what is not named.
struct PairWeights {
  double same = 1;
  double different = 1;

  PairWeights() = default;
  /// Throws Error where another name is given, or a weight that is no number above 0.
  explicit PairWeights(const NamedValues& given);

  bool equal() const noexcept { return same == different; }
  double of(std::int32_t label) const noexcept { return label > 0 ? same : different; }
};

}  // namespace semblance::pairwise
