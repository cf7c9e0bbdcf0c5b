// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// A rectangle of an image.
class Crop final : public RowFeature, public Exportable {
 public:
  void check_parameters() const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<Crop> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  std::vector<std::int64_t> offset_;
  std::size_t top_ = 0;
  std::size_t left_ = 0;
};

}  // namespace semblance
