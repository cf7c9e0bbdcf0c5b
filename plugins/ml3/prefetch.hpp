// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/cache_control.h>

#include <span>

namespace semblance::ml3 {

/// Brings values into the cache that will be looked at soon: an order is random, and what comes
/// next is far away.
template <typename T>
void prefetch(std::span<const T> values) noexcept {
  constexpr std::size_t cache_line = 64 / sizeof(T);
  for (std::size_t j = 0; j < values.size(); j += cache_line) hwy::Prefetch(&values[j]);
}

}  // namespace semblance::ml3
