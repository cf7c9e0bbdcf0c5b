// SPDX-License-Identifier: MIT
#include "conformance/live_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <vector>

namespace semblance::conformance {

std::size_t live_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::size_t left_behind(std::span<const std::size_t> live) {
  std::vector<std::size_t> more;
  for (std::size_t i = 1; i < live.size(); ++i) {
    if (live[i] <= live[i - 1]) return 0;
    more.push_back(live[i] - live[i - 1]);
  }
  if (more.empty()) return 0;
  std::ranges::sort(more);
  // What is left is alike at most uses; at some of them a list of it may grow as well.
  return more[more.size() / 2] <= 2 * more.front() ? more.front() : 0;
}

}  // namespace semblance::conformance
