// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance {

/// The mean squared distance to the nearest point of the other set, both ways.
class Chamfer final : public RowDistance<Chamfer> {
 public:
  static Declaration<Chamfer> declare();
  double distance(std::span<const float> b, std::span<const float> x) const;
};

}  // namespace semblance
