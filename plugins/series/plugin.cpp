// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "as_series.hpp"
#include "derivative.hpp"
#include "dtw.hpp"
#include "edr.hpp"
#include "erp.hpp"
#include "euclidean.hpp"
#include "flatten.hpp"
#include "gak.hpp"
#include "lcss.hpp"
#include "minirocket.hpp"
#include "msm.hpp"
#include "multirocket.hpp"
#include "resample.hpp"
#include "sbd.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "smooth.hpp"
#include "soft_dtw.hpp"
#include "twe.hpp"
#include "wdtw.hpp"
#include "znorm.hpp"

SEMBLANCE_PLUGIN("semblance_series", "0.1.0", "MIT", semblance::AsSeries, semblance::Derivative,
                 semblance::Dtw, semblance::Edr, semblance::Erp, semblance::Euclidean,
                 semblance::Flatten, semblance::Gak, semblance::Lcss, semblance::MiniRocket,
                 semblance::Msm, semblance::MultiRocket, semblance::Resample, semblance::Sbd,
                 semblance::Smooth, semblance::SoftDtw, semblance::Twe, semblance::Wdtw,
                 semblance::ZNorm)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
