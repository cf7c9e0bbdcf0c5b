// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// A rectangle of an image.
class Crop final : public Feature {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Crop> declare();

 private:
  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  std::vector<std::int64_t> offset_;
  Layout input_;
  Layout output_;
  std::size_t top_ = 0;
  std::size_t left_ = 0;
};

}  // namespace semblance
