// SPDX-License-Identifier: MIT
#pragma once

/// Include first in every file that is compiled once per SIMD target. Excludes targets that gain
/// little over their neighbours and would only cost compile time (a CPU with SSE4 but without AVX2
/// is older than 2013; it runs the code for SSE2), and targets whose vector size is unknown at
/// compile time, since their vectors cannot be held in arrays of registers.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
