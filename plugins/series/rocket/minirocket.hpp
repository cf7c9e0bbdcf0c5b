// SPDX-License-Identifier: MIT
#pragma once

#include "rocket/minirocket_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// MiniRocket: the share of positive values after dilated convolutions.
class MiniRocket final : public Normalizer {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  static Declaration<MiniRocket> declare();

 private:
  /// Biases of each kernel, over all dilations.
  std::size_t each() const noexcept {
    return static_cast<std::size_t>(features_) / rocket_kernel_count;
  }

  std::int64_t features_ = 10000;
  std::size_t channels_ = 0;
  RocketBank bank_;
};

}  // namespace semblance
