// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"

SEMBLANCE_COMPONENTS("semblance_series", series, as_series, derivative, dtw, edr, erp, euclidean,
                     flatten, gak, hydra, impute_series, lcss, minirocket, msm, multirocket, rdst,
                     resample, sbd, smooth, soft_dtw, twe, wdtw, znorm)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
