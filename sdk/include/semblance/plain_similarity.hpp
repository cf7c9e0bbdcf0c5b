// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"

namespace semblance {

/// An optional interface of similarities that also compute their values by definition: pair by
/// pair, from the unprepared rows, with sums in double, and sharing no arithmetic with apply(). The
/// runtime and machines compare a random subset of their values with these. Derive from it in
/// addition to Similarity; RowSimilarity and RowDistance do.
class PlainSimilarity {
 public:
  virtual ~PlainSimilarity();

  /// values[j] = s(row j of `bases`, x), where x is a single row. Works after bind(), or after
  /// set_bases() if the measure learns from its bases. Thread-safe.
  virtual void compare_plainly(MatrixView bases, MatrixView x, double* values) const = 0;
};

}  // namespace semblance
