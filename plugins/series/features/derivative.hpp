// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The slope of a series at each step.
class Derivative final : public RowFeature {
 public:
  std::size_t values_of(std::size_t values) const override;
  static Declaration<Derivative> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::string ends_ = "repeat";
};

}  // namespace semblance
