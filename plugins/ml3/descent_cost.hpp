// SPDX-License-Identifier: MIT
#pragma once

#include "problem.hpp"
#include "semblance/component.hpp"
#include "semblance/context.hpp"

namespace semblance::ml3 {

/// Throws Error with the arithmetic if a descent with this batch size and this number of weights
/// per sample does not fit into the memory budget. Returns the remaining bytes.
double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_per_sample,
                    Context& context);

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
