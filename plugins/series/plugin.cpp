// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "dtw.hpp"
#include "msm.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "twe.hpp"

SEMBLANCE_PLUGIN("semblance_series", "0.1.0", "MIT", semblance::Dtw, semblance::Msm, semblance::Twe)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
