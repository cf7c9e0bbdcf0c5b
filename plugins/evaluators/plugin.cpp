// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "assignments.hpp"
#include "boundary.hpp"
#include "calibration.hpp"
#include "classification.hpp"
#include "complexity.hpp"
#include "errors.hpp"
#include "fusion.hpp"
#include "margin.hpp"
#include "ranking.hpp"
#include "spectrum.hpp"
#include "verification.hpp"

SEMBLANCE_PLUGIN("semblance_evaluators", "0.1.0", "MIT", semblance::evaluators::Assignments,
                 semblance::evaluators::Boundary, semblance::evaluators::Calibration,
                 semblance::evaluators::Classification, semblance::evaluators::Complexity,
                 semblance::evaluators::Errors, semblance::evaluators::Fusion,
                 semblance::evaluators::Margin, semblance::evaluators::Ranking,
                 semblance::evaluators::Spectrum, semblance::evaluators::Verification)
