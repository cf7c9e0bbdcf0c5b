// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::calibrators {

/// Two numbers that differ by this share of the larger one differ in float32 as well. A score that
/// is closer below the largest one could tie with it after rounding, and the first of two equal
/// scores would then be the predicted class.
inline constexpr double float32_apart = 0x1p-22;

}  // namespace semblance::calibrators
