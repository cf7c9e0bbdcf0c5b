// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"

namespace semblance {

/// What a measure can tell without any bases: k(x, x). With it a kernel becomes a squared
/// distance, k(x, x) - 2 k(b, x) + k(b, b).
class SelfSimilarity {
 public:
  virtual ~SelfSimilarity() = default;

  /// values[i] = k(row i, row i), equal to what apply() gives where a row meets itself up to
  /// rounding. Works after bind().
  virtual void compare_with_itself(MatrixView rows, float* values) const = 0;
};

}  // namespace semblance
