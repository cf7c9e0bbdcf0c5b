// SPDX-License-Identifier: MIT
#pragma once

/// Include first in every file that is compiled once per SIMD target. Excludes targets that gain
/// nothing over their neighbours in float32 and would only cost compile time, and targets whose
/// vector size is unknown at compile time, since their vectors cannot be held in arrays of
/// registers.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
