// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace semblance::numerics {

/// A sample's loss in a problem at one value f of its function: c u min(slack, cap)^2, continued
/// beyond the cap by its tangent; 0 if the slack is not positive.
struct LossPoint {
  double sign = 1;   ///< of the direction in which f must move to reduce the loss
  double slack = 0;  ///< how far f must move until there is no loss
};

/// max(0, 1 - y f)^2 for several classes against the rest. y is 1 for samples of the class, else
/// -1.
class HingeLosses {
 public:
  /// A loss grows quadratically without limit: see `cap()`.
  static constexpr bool capped = false;

  /// `positives[c]`: the class that problem c separates from the rest.
  HingeLosses(std::span<const std::int32_t> labels, std::vector<std::int32_t> positives)
      : labels_(labels), positives_(std::move(positives)) {}

  std::size_t problems() const noexcept { return positives_.size(); }
  LossPoint at(std::size_t sample, std::size_t problem, double f) const noexcept {
    const double y = labels_[sample] == positives_[problem] ? 1.0 : -1.0;
    return {y, 1 - y * f};
  }
  /// at() after f has moved by `step` from `before`.
  LossPoint moved(std::size_t sample, std::size_t problem, double f, double step) const noexcept {
    const LossPoint before = at(sample, problem, f);
    return {before.sign, before.slack - before.sign * step};
  }
  /// The slack at f = 0, signed: the factor of a dual variable's size in the dual objective.
  double gain(std::size_t, std::size_t, double) const noexcept { return 1; }
  double cap(std::size_t, double) const noexcept { return std::numeric_limits<double>::infinity(); }

 private:
  std::span<const std::int32_t> labels_;
  std::vector<std::int32_t> positives_;
};

/// max(0, |t - f| - epsilon)^2 for several targets t: the tube loss of regression. With caps it is
/// continued by its tangents.
class TubeLosses {
 public:
  static constexpr bool capped = true;

  /// The largest slack, at estimates below and above the target, with a quadratic loss.
  struct Caps {
    double below = std::numeric_limits<double>::infinity();
    double above = std::numeric_limits<double>::infinity();
  };
  /// The width of a problem's tube, and its caps.
  struct Tube {
    double epsilon = 0;
    Caps caps = {};
  };

  /// `targets`: samples x stride; problem p uses column first + p. They must outlive the object.
  TubeLosses(std::span<const double> targets, std::size_t stride, std::size_t first,
             std::vector<Tube> tubes)
      : targets_(targets), stride_(stride), first_(first), tubes_(std::move(tubes)) {}

  std::size_t problems() const noexcept { return tubes_.size(); }
  LossPoint at(std::size_t sample, std::size_t problem, double f) const noexcept {
    const double residual = target(sample, problem) - f;
    return {residual < 0 ? -1.0 : 1.0, std::abs(residual) - tubes_[problem].epsilon};
  }
  LossPoint moved(std::size_t sample, std::size_t problem, double f, double step) const noexcept {
    return at(sample, problem, f + step);
  }
  double gain(std::size_t sample, std::size_t problem, double sign) const noexcept {
    return sign * target(sample, problem) - tubes_[problem].epsilon;
  }
  double cap(std::size_t problem, double sign) const noexcept {
    const Caps& caps = tubes_[problem].caps;
    return sign > 0 ? caps.below : caps.above;
  }

 private:
  double target(std::size_t sample, std::size_t problem) const noexcept {
    return targets_[sample * stride_ + first_ + problem];
  }

  std::span<const double> targets_;
  std::size_t stride_;
  std::size_t first_;
  std::vector<Tube> tubes_;
};

/// The losses of all problems.
using AnyLosses = std::variant<HingeLosses, TubeLosses>;

}  // namespace semblance::numerics
