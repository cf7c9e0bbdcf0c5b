// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic_testing.hpp"

namespace semblance::testing {

/// Whether no channel of the two steps differs by more than epsilon, in float32 like the measures.
inline bool steps_match(std::span<const float> x, std::ptrdiff_t i, std::span<const float> b,
                        std::ptrdiff_t j, std::size_t channels, float epsilon) {
  for (std::size_t c = 0; c < channels; ++c)
    if (std::abs(x[std::size_t(i) * channels + c] - b[std::size_t(j) * channels + c]) > epsilon)
      return false;
  return true;
}

}  // namespace semblance::testing
