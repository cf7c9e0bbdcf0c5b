// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_evaluators", evaluators, assignments, boundary, calibration,
                     classification, complexity, coverage, embedding, errors, explanations, margin,
                     novelty, ranking, regression, spectrum, verification)
