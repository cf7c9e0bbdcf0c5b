// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The strongest cells of a grid, or pixels of an image, as points.
class Points final : public RowFeature {
 public:
  static Declaration<Points> declare();
  std::size_t values_of(std::size_t) const override { return size_; }

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t count_ = 64;
  double place_ = 1;
  double value_ = 1;
  std::size_t cells_ = 0;  // of a sample
  std::size_t taken_ = 0;
  std::size_t size_ = 0;  // of a set
};

}  // namespace semblance
