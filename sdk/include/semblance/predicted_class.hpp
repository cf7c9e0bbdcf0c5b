// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace semblance {

/// The decision rule of every multiclass solver: the class with the largest of a row's scores, the
/// first of equal ones. At least one score, and none that is NaN.
inline std::int32_t predicted_class(std::span<const float> scores) {
  return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace semblance
