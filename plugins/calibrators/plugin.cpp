// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "isotonic.hpp"
#include "platt.hpp"
#include "temperature.hpp"
#include "threshold.hpp"

SEMBLANCE_PLUGIN("semblance_calibrators", "0.1.0", "MIT", semblance::calibrators::Isotonic,
                 semblance::calibrators::Platt, semblance::calibrators::Temperature,
                 semblance::calibrators::Threshold)
