// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::numerics {

/// The SIMD level of the kernels, which is chosen at run time, for SEMBLANCE_DIAGNOSTICS.
const char* machine_diagnostics();

}  // namespace semblance::numerics
