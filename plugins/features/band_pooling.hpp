// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"
#include "semblance_numerics/pooling_regions.hpp"

namespace semblance {

/// Maximum or sum over the cells of each horizontal band of a grid.
class BandPooling final : public RowFeature {
 public:
  static Declaration<BandPooling> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t bands_ = 2;
  bool whole_ = false;
  std::string pool_ = "max";
  numerics::PoolingRegions regions_;
};

}  // namespace semblance
