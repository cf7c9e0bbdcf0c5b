// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::evaluators {
ComponentEntry declare_assignments(), declare_boundary(), declare_calibration(),
    declare_classification(), declare_complexity(), declare_coverage(), declare_embedding(),
    declare_errors(), declare_explanations(), declare_margin(), declare_novelty(),
    declare_ranking(), declare_regression(), declare_spectrum(), declare_verification();
}
using namespace semblance::evaluators;

SEMBLANCE_PLUGIN("semblance_evaluators", SEMBLANCE_VERSION, "MIT", declare_assignments,
                 declare_boundary, declare_calibration, declare_classification, declare_complexity,
                 declare_coverage, declare_embedding, declare_errors, declare_explanations,
                 declare_margin, declare_novelty, declare_ranking, declare_regression,
                 declare_spectrum, declare_verification)
