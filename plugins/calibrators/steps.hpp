// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "one_against_rest.hpp"

namespace semblance::calibrators {

/// A nondecreasing function: linear between its corners, constant outside of them.
struct Steps {
  std::vector<double> x;  ///< rising
  std::vector<double> y;
  double at(double score) const noexcept;
};

/// The nondecreasing function that is nearest to the targets 0 and 1 in squared distance, by
/// pooling adjacent violators (Ayer et al., 1955). Samples of equal score count as one with their
/// mean. At least one sample.
Steps fit_steps(const Problem& problem);

}  // namespace semblance::calibrators
