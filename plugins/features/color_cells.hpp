// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// Mean and standard deviation of the three opponent colours, or of one channel, in square cells.
class ColorCells final : public RowFeature {
 public:
  static Declaration<ColorCells> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t cell_ = 4;
};

}  // namespace semblance
