// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"

namespace semblance {

/// What a similarity can tell without any bases: s(x, x). With it a kernel becomes a squared
/// distance, s(x, x) - 2 s(b, x) + s(b, b). Derive from it in addition to Similarity.
class SelfSimilarity {
 public:
  virtual ~SelfSimilarity();

  /// values[i] = s(row i, row i), equal to what apply() gives where a row meets itself up to
  /// rounding. Works after bind().
  virtual void compare_with_itself(MatrixView rows, float* values) const = 0;
};

}  // namespace semblance
