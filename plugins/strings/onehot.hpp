// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// Indicators of the symbol at each position.
class Onehot final : public RowFeature {
 public:
  static Declaration<Onehot> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::size_t symbols_ = 0;  // of the alphabet
};

}  // namespace semblance
