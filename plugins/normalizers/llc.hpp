// SPDX-License-Identifier: MIT
#pragma once

#include "descriptor_coder.hpp"

namespace semblance {

/// Locality-constrained linear coding: represents each cell as a combination of its nearest words.
class Llc final : public DescriptorCoder {
 public:
  static Declaration<Llc> declare();

 private:
  std::size_t neighbours() const override { return static_cast<std::size_t>(neighbours_); }
  void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
               std::span<float> weights) const override;

  std::int64_t neighbours_ = 5;
  double beta_ = 1e-4;
  bool sum_to_one_ = false;
};

}  // namespace semblance
