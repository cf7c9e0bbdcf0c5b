// SPDX-License-Identifier: MIT
#pragma once

#include "rocket/minirocket_kernels.hpp"
#include "rocket/minirocket_pooling.hpp"
#include "semblance/normalizer.hpp"

namespace semblance::series {

/// The common base of minirocket and multirocket: features of series, and optionally of their
/// differences, by dilated kernels with learned biases.
class Rocket : public Normalizer {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  struct Method {
    const char* name;
    RocketPooling pooling;
    bool differences;  ///< whether they are used for features as well
  };
  Rocket(Method method, std::int64_t features) noexcept : features_(features), method_(method) {}

  std::int64_t features_;  ///< about how many columns to make

 private:
  /// Columns of a bias.
  std::size_t columns_each() const noexcept;
  /// Biases of each kernel and representation, over all dilations.
  std::size_t biases_each() const noexcept;
  /// Enough for one difference.
  std::size_t least_steps() const noexcept { return method_.differences ? 2 : 1; }
  /// Enough for the convolved series to be as long as the kernels.
  std::size_t needed_steps() const noexcept { return rocket_kernel_length + least_steps() - 1; }

  Method method_;
  std::size_t channels_ = 0;
  RocketBank series_;
  RocketBank differences_;
};

}  // namespace semblance::series
