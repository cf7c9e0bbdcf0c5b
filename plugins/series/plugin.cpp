// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"

namespace semblance::series {
ComponentEntry declare_as_series(), declare_derivative(), declare_dtw(), declare_edr(),
    declare_erp(), declare_euclidean(), declare_flatten(), declare_gak(), declare_hydra(),
    declare_impute_series(), declare_lcss(), declare_minirocket(), declare_msm(),
    declare_multirocket(), declare_rdst(), declare_resample(), declare_sbd(), declare_smooth(),
    declare_soft_dtw(), declare_twe(), declare_wdtw(), declare_znorm();
}
using namespace semblance::series;

SEMBLANCE_PLUGIN("semblance_series", SEMBLANCE_VERSION, "MIT", declare_as_series,
                 declare_derivative, declare_dtw, declare_edr, declare_erp, declare_euclidean,
                 declare_flatten, declare_gak, declare_hydra, declare_impute_series, declare_lcss,
                 declare_minirocket, declare_msm, declare_multirocket, declare_rdst,
                 declare_resample, declare_sbd, declare_smooth, declare_soft_dtw, declare_twe,
                 declare_wdtw, declare_znorm)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
