// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/cache_control.h>

#include <span>

namespace semblance::ml3 {

/// Prefetches values into the cache: the order is random, so the next values are far away.
template <typename T>
void prefetch(std::span<const T> values) noexcept {
  constexpr std::size_t cache_line = 64 / sizeof(T);
  for (std::size_t j = 0; j < values.size(); j += cache_line) hwy::Prefetch(&values[j]);
}

}  // namespace semblance::ml3
