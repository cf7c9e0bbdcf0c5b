// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// The upper border of bin `bin` of `bins` of equal width from 0 to 1, in float32 like
/// probabilities: the float32 probability 0.8 is on the border 4/5, but would be above it in
/// float64.
constexpr float probability_border(std::size_t bin, std::size_t bins) {
  return static_cast<float>(static_cast<double>(bin + 1) / static_cast<double>(bins));
}

/// The bin of a probability. A probability on a border belongs to the lower bin, and one above 1 by
/// rounding to the last bin.
constexpr std::size_t probability_bin(float probability, std::size_t bins) {
  std::size_t low = 0, high = bins - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (probability <= probability_border(middle, bins))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace semblance
