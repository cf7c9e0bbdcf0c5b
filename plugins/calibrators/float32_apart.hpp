// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::calibrators {

/// Two numbers that differ by this share of the larger one also differ in float32. A score closer
/// to the largest one could tie with it after rounding, and the first of two equal scores would be
/// the predicted class.
inline constexpr double float32_apart = 0x1p-22;

}  // namespace semblance::calibrators
