// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// Each series and channel with mean 0 and standard deviation 1.
class ZNorm final : public RowFeature {
 public:
  static Declaration<ZNorm> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::string deviation_ = "sample";
};

}  // namespace semblance
