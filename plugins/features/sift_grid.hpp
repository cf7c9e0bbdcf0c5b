// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "sift_descriptors.hpp"

namespace semblance {

/// Dense SIFT descriptors on a regular grid, one or more scales.
class SiftGrid final : public Feature {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<SiftGrid> declare();

 private:
  std::int64_t step_ = 8;
  std::vector<std::int64_t> bins_ = {4};
  std::int64_t shrink_ = 1;
  std::string window_ = "flat";
  double smoothing_ = 1.0 / 6;
  bool root_ = false;
  Layout input_;
  SiftGridShape shape_;
};

}  // namespace semblance
