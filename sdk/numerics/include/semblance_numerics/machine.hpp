// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::numerics {

/// The CPU features that the kernels use, for SEMBLANCE_DIAGNOSTICS: the SIMD level chosen at run
/// time, and whether AMX is available.
const char* machine_diagnostics();

}  // namespace semblance::numerics
