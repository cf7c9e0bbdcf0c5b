// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace semblance
