// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace semblance {

/// The decision rule of every multiclass solver: the class with the largest score of a row; ties go
/// to the first. There must be at least one score, and none may be NaN.
inline std::int32_t predicted_class(std::span<const float> scores) {
  return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace semblance
