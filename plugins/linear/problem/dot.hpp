// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::linear {

/// The inner product, summed in the order of the entries.
inline double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace semblance::linear
