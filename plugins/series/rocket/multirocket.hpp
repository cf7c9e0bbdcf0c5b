// SPDX-License-Identifier: MIT
#pragma once

#include "rocket/rocket.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// MultiRocket: four figures of dilated convolutions, of a series and of its differences.
class MultiRocket final : public Rocket {
 public:
  MultiRocket() noexcept : Rocket({"multirocket", RocketPooling::four, true}, 50000) {}
  static Declaration<MultiRocket> declare();
};

}  // namespace semblance
