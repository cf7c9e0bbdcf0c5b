// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "features/as_series.hpp"
#include "features/derivative.hpp"
#include "features/flatten.hpp"
#include "features/resample.hpp"
#include "features/smooth.hpp"
#include "features/znorm.hpp"
#include "measures/dtw.hpp"
#include "measures/edr.hpp"
#include "measures/erp.hpp"
#include "measures/euclidean.hpp"
#include "measures/gak.hpp"
#include "measures/lcss.hpp"
#include "measures/msm.hpp"
#include "measures/sbd.hpp"
#include "measures/soft_dtw.hpp"
#include "measures/twe.hpp"
#include "measures/wdtw.hpp"
#include "rocket/minirocket.hpp"
#include "rocket/multirocket.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"

SEMBLANCE_PLUGIN("semblance_series", "0.1.0", "MIT", semblance::AsSeries, semblance::Derivative,
                 semblance::Dtw, semblance::Edr, semblance::Erp, semblance::Euclidean,
                 semblance::Flatten, semblance::Gak, semblance::Lcss, semblance::MiniRocket,
                 semblance::Msm, semblance::MultiRocket, semblance::Resample, semblance::Sbd,
                 semblance::Smooth, semblance::SoftDtw, semblance::Twe, semblance::Wdtw,
                 semblance::ZNorm)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
