// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance_numerics/pooling_regions.hpp"

namespace semblance {

/// Maximum or sum over the cells of each horizontal band of a grid.
class BandPooling final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<BandPooling> declare();

 private:
  std::int64_t bands_ = 2;
  bool whole_ = false;
  std::string pool_ = "max";
  Layout input_;
  numerics::PoolingRegions regions_;
};

}  // namespace semblance
