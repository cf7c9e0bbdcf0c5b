// SPDX-License-Identifier: MIT
#pragma once

/// Include first in every file that is compiled once a SIMD target. Leaves out the targets that
/// gain nothing over their neighbours in float32, which would only cost compile time, and those
/// whose vectors have no size at compile time, which cannot be kept in arrays of registers.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
