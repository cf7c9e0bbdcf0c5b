// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// Series with another number of steps.
class Resample final : public RowFeature {
 public:
  std::size_t values_of(std::size_t values) const override;
  static Declaration<Resample> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t length_ = 0;
  std::size_t steps_ = 0;  ///< of the series that are made
};

}  // namespace semblance
