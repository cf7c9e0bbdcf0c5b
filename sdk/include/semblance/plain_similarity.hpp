// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"

namespace semblance {

/// What a similarity may be besides, where it gives its values by their definition as well: pair by
/// pair, from the rows as they are, with sums in double, and sharing no arithmetic with apply().
/// The runtime and machines compare a sample of what they compute with these values. Derive from
/// it in addition to Similarity; RowSimilarity and RowDistance do.
class PlainSimilarity {
 public:
  virtual ~PlainSimilarity();

  /// values[j] = s(row j of `bases`, x), where x is a single row. Works after bind(), and where
  /// the measure learns from its bases, after set_bases(). Thread-safe.
  virtual void compare_plainly(MatrixView bases, MatrixView x, double* values) const = 0;
};

}  // namespace semblance
