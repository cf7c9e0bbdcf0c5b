// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// The mean of a feature over each image and its mirror image.
class MirrorMean final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<MirrorMean> declare();

 private:
  std::unique_ptr<Feature> feature_;
  Layout input_;
};

}  // namespace semblance
