// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The values of a series as a vector.
class Flatten final : public RowFeature {
 public:
  static Declaration<Flatten> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  bool pad_ = false;
  double fill_ = 0;
};

}  // namespace semblance
