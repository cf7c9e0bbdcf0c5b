// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "semblance/error.hpp"
#include "semblance/matrix.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// Throws Error if rows have nonzero values, but none of at least 2^-50. Their squares underflow in
/// float32 (below 2^-126, about 1e-38) or lose digits, and all distances would be 0.
inline void refuse_tiny(MatrixView rows) {
  constexpr float least = 0x1p-50F;
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (const float x : rows.row_span(i)) largest = std::max(largest, std::abs(x));
    if (largest >= least) return;
  }
  if (largest == 0) return;
  throw Error("the largest value of all bases is " + to_text(Value(double{largest})) +
              ", and squares of such values are too small for float32; scale the samples up, with "
              "normalizer/zscore for example");
}

}  // namespace semblance
