// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance {

/// The distances of the points of one set from the nearest of the other.
class Hausdorff final : public RowDistance<Hausdorff> {
 public:
  static Declaration<Hausdorff> declare();
  double distance(std::span<const float> b, std::span<const float> x) const;

 private:
  std::string points_ = "farthest";
  std::string direction_ = "both";
};

}  // namespace semblance
