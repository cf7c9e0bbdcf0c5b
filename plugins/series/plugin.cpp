// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "as_series.hpp"
#include "derivative.hpp"
#include "flatten.hpp"
#include "minirocket.hpp"
#include "multirocket.hpp"
#include "resample.hpp"
#include "smooth.hpp"
#include "znorm.hpp"

SEMBLANCE_PLUGIN("semblance_series", "0.1.0", "MIT", semblance::AsSeries, semblance::Derivative,
                 semblance::Flatten, semblance::MiniRocket, semblance::MultiRocket,
                 semblance::Resample, semblance::Smooth, semblance::ZNorm)
