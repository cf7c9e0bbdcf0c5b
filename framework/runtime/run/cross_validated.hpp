// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/services/run_options.hpp"
#include "study/study.hpp"

namespace semblance {

/// The study as it is run: where its variants have no test rows but a cross-validation (`select`
/// without parameters), their folds become the repeats, on which they are compared. Throws Error
/// where variants have no test rows, and their cross-validations choose parameters as well, or some
/// have test rows and others have not.
Study judged_study(const Study& study, const Catalogue& catalogue, const RunOptions& options);

}  // namespace semblance
