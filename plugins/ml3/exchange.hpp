// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance::ml3 {

/// What a descent is like, for an estimate of what ranks exchange.
struct DescentShape {
  double passes = 1;        ///< over the rows
  std::size_t batch = 64;   ///< samples
  std::size_t models = 1;   ///< of each class
  std::size_t weights = 0;  ///< values that come with a sample
  bool bias = true;
};

/// A step is a batch: its samples, and their products where models are shared out.
Exchange descent_exchange(const LearningSize& size, const DescentShape& shape);

}  // namespace semblance::ml3
