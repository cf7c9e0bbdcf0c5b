// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::calibrators {
ComponentEntry declare_conformal(), declare_conformal_intervals(), declare_conformal_quantiles(),
    declare_false_alarms(), declare_false_discoveries(), declare_probabilities(), declare_reject(),
    declare_threshold();
}
using namespace semblance::calibrators;

SEMBLANCE_PLUGIN("semblance_calibrators", SEMBLANCE_VERSION, "MIT", declare_conformal,
                 declare_conformal_intervals, declare_conformal_quantiles, declare_false_alarms,
                 declare_false_discoveries, declare_probabilities, declare_reject,
                 declare_threshold)
