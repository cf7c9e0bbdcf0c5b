// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The moving average of a series.
class Smooth final : public RowFeature {
 public:
  static Declaration<Smooth> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t window_ = 5;
};

}  // namespace semblance
