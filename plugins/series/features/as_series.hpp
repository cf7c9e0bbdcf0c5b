// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The values of a vector as a series.
class AsSeries final : public RowFeature {
 public:
  static Declaration<AsSeries> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t channels_ = 1;
};

}  // namespace semblance
