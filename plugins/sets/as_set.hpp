// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The steps of a series as points.
class AsSet final : public RowFeature {
 public:
  static Declaration<AsSet> declare();
  std::size_t values_of(std::size_t values) const override;

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  double time_ = 0;
  std::size_t channels_ = 0;
};

}  // namespace semblance
