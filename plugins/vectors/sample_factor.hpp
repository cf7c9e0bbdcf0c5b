// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/state.hpp"

namespace semblance::vectors {

/// A factor on distances or products, such as gamma, as scikit-learn defines it: a number, or
///
///     scale  1 / (columns * variance of all values of the samples), 1 if that is 0
///     auto   1 / columns
///
/// A similarity derives from it besides StoredBases and passes on bind, bases and state.
class SampleFactor : public LearnsFromSamples {
 public:
  bool samples_suffice() const noexcept final { return true; }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) final;

 protected:
  /// `given`: the default.
  explicit SampleFactor(std::string given) : given_(std::move(given)) {}

  /// Whether it is still to be learned from the bases.
  bool factor_from_bases() const noexcept { return given_ == "scale" && !from_samples_; }
  /// The factor in use; known once there are bases.
  double factor() const noexcept { return factor_; }

  void bind_factor(const Layout& layout);
  /// Learns from the bases unless learn_from_samples() has been called.
  void learn_factor(MatrixView bases, Context& context);
  /// Uses the factor of another measure, whatever it was learned from.
  void copy_factor(const SampleFactor& other);
  void save_factor(StateWriter& state) const;
  void load_factor(const StateReader& state);

  std::string given_;  ///< the parameter

 private:
  void take_scale(double variance);

  std::size_t columns_ = 0;
  bool from_samples_ = false;
  double factor_ = 0;
};

}  // namespace semblance::vectors
