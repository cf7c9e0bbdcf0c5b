// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/services/run_options.hpp"
#include "study/study.hpp"

namespace semblance {

/// The study as it is run. Where its variants have no test samples but a cross-validation (`select`
/// without parameters), the folds become repeats, and the variants are compared on them. Throws
/// Error where variants have no test samples and their cross-validations also choose parameters,
/// and where only some variants have test samples.
Study judged_study(const Study& study, const Catalogue& catalogue, const RunOptions& options);

}  // namespace semblance
