// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance::ml3 {

/// The shape of a descent, for estimating the exchange between ranks.
struct DescentShape {
  double passes = 1;        ///< over the rows
  std::size_t batch = 64;   ///< samples
  std::size_t models = 1;   ///< of each class
  std::size_t weights = 0;  ///< values sent with a sample
  bool bias = true;
};

/// A step is a batch: its samples, and their products where models are shared out.
Exchange descent_exchange(const LearningSize& size, const DescentShape& shape);

}  // namespace semblance::ml3
