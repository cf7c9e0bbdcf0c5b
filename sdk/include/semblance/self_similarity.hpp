// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"

namespace semblance {

/// An optional interface of similarities that can compute s(x, x) without bases. It turns a kernel
/// into a squared distance, s(x, x) - 2 s(b, x) + s(b, b). Derive from it in addition to
/// Similarity.
class SelfSimilarity {
 public:
  virtual ~SelfSimilarity();

  /// values[i] = s(row i, row i), equal up to rounding to the result of apply() for a row and
  /// itself. Works after bind().
  virtual void compare_with_itself(MatrixView rows, float* values) const = 0;
};

}  // namespace semblance
