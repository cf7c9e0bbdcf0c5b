// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::numerics {

/// What the kernels use of this CPU, for SEMBLANCE_DIAGNOSTICS: the SIMD level that is chosen at
/// run time, and whether there is AMX.
const char* machine_diagnostics();

}  // namespace semblance::numerics
