// SPDX-License-Identifier: MIT
#pragma once

#include "descriptor_coder.hpp"

namespace semblance {

/// Hard assignment: each cell's nearest word.
class VectorQuantization final : public DescriptorCoder {
 public:
  static Declaration<VectorQuantization> declare();

 private:
  std::size_t neighbours() const override { return 1; }
  void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
               std::span<float> weights) const override;
};

}  // namespace semblance
