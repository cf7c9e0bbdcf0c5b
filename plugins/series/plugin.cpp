// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "dtw.hpp"
#include "edr.hpp"
#include "erp.hpp"
#include "euclidean.hpp"
#include "gak.hpp"
#include "lcss.hpp"
#include "msm.hpp"
#include "sbd.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "soft_dtw.hpp"
#include "twe.hpp"
#include "wdtw.hpp"

SEMBLANCE_PLUGIN("semblance_series", "0.1.0", "MIT", semblance::Dtw, semblance::Edr, semblance::Erp,
                 semblance::Euclidean, semblance::Gak, semblance::Lcss, semblance::Msm,
                 semblance::Sbd, semblance::SoftDtw, semblance::Twe, semblance::Wdtw)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
