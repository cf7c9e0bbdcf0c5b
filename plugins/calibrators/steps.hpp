// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "one_against_rest.hpp"

namespace semblance::calibrators {

/// A function that never falls: linear between its corners, constant outside of them.
struct Steps {
  std::vector<double> x;  ///< rising
  std::vector<double> y;
  double at(double score) const noexcept;
};

/// The function that is nearest to 0 and 1 in squared distance among those that never fall, by
/// pooling adjacent violators (Ayer et al., 1955); rows of equal score count as one with their
/// mean. At least one row.
Steps fit_steps(const Problem& problem);

}  // namespace semblance::calibrators
