// SPDX-License-Identifier: MIT
#pragma once

#include "rocket/rocket.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// MiniRocket: the share of positive values after dilated convolutions.
class MiniRocket final : public Rocket {
 public:
  MiniRocket() noexcept : Rocket({"minirocket", RocketPooling::proportion, false}, 10000) {}
  static Declaration<MiniRocket> declare();
};

}  // namespace semblance
