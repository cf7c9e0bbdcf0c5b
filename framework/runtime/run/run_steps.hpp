// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/run/run_study.hpp"

namespace semblance {

/// Runs the steps of a study one after another, each with what earlier steps have chosen, as
/// separate studies in options.out/steps/NAME. options.out gets study.yaml, study.json and the
/// tables with the combinations of all steps, and a report.html of the choices. Ends where a step
/// is stopped; throws Error where nothing can be chosen, after writing the results so far.
StudyResult run_steps(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast);

}  // namespace semblance
