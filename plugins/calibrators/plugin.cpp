// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_calibrators", calibrators, conformal, conformal_intervals,
                     conformal_quantiles, false_alarms, false_discoveries, probabilities, reject,
                     threshold)
