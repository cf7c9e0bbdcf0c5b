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
/// A similarity gets one by WithFactor.
class SampleFactor : public LearnsFromSamples {
 public:
  bool samples_suffice() const noexcept final { return true; }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) final;

 protected:
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

  std::string given_ = "scale";  ///< the parameter

 private:
  void take_scale(double variance);

  std::size_t columns_ = 0;
  bool from_samples_ = false;
  double factor_ = 0;
};

/// A measure on StoredBases with a factor, which is learned with its bases and is part of its
/// state.
template <class Base>
class WithFactor : public Base, public SampleFactor {
 public:
  bool learns_from_bases() const noexcept override { return factor_from_bases(); }

 private:
  void prepare(const Layout& input) override {
    Base::prepare(input);
    bind_factor(input);
  }
  void learn_from_bases(MatrixView bases, Context& context) override {
    learn_factor(bases, context);
  }
  void save_learned(StateWriter& state) const override { save_factor(state); }
  void load_learned(const StateReader& state) override { load_factor(state); }
};

}  // namespace semblance::vectors
