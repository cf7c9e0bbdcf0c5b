// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/parameters.hpp"

namespace semblance::testing {

/// The parameter `class_weights` that gives each class its weight, in their order; empty without
/// weights.
inline NamedValues class_weights(std::span<const std::string> classes,
                                 std::span<const double> weights) {
  NamedValues named;
  for (std::size_t c = 0; c < weights.size(); ++c) named[classes[c]] = weights[c];
  return named;
}

}  // namespace semblance::testing
