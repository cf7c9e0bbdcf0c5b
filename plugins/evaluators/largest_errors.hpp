// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "judged_targets.hpp"

namespace semblance::evaluators {

/// The largest error of a test sample.
struct LargestError {
  std::size_t row = 0;
  std::size_t target = 0;
  double error = 0;
  double size = 0;  ///< in units of the target's RMSE
};

/// The samples with errors by falling size of these; on ties, in their order.
std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows);

}  // namespace semblance::evaluators
