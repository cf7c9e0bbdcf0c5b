// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "semblance/solver.hpp"

namespace semblance {

/// Also of kind `solver`: learns to predict numbers. As a Transform it maps a sample to one
/// estimate per target number (TrainingSet::targets), in their order and unit. bind() may return
/// depth 0 until it is trained or loaded.
///
/// Estimates are float32, so they have 7 digits: sources refuse numbers that float32 cannot tell
/// apart.
class Regressor : public Learner {
 public:
  static const KindInfo& kind_info();
  ~Regressor() override;
};

/// Also of kind `solver`: a regressor that says between which numbers the true one is. Like an
/// IntervalCalibrator, it maps a sample to the lower end of the interval, the estimate and the
/// upper end for each target number. The ends may be infinite.
class IntervalRegressor : public Learner {
 public:
  static const KindInfo& kind_info();
  ~IntervalRegressor() override;

  /// Where intervals are those of normal distributions about the estimates: half their width over
  /// the standard deviation.
  virtual std::optional<double> normal_quantile() const { return std::nullopt; }
};

}  // namespace semblance
