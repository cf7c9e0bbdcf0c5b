// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::bases {

/// `count` of the rows, all subsets equally likely; ascending, so that reading them moves forward
/// through the data.
inline std::vector<std::int64_t> draw(std::vector<std::int64_t> rows, std::size_t count,
                                      Random& random) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace semblance::bases
