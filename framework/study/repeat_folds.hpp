// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/pipeline.hpp"
#include "study/study.hpp"

namespace semblance {

/// "fold=2"; with the name of the seed before it: "seed=1,fold=2".
std::string name_of_repeat(const std::string& seed, std::size_t fold);

/// Changes the pipeline so that it learns without one fold of its training samples and is tested on
/// that fold. Where it chooses parameters, it does so on folds of the remaining samples.
void hold_out(SelectingPipeline& pipeline, const Fold& fold);

/// Whether, without test samples, a variant of the study can be evaluated only by its
/// cross-validation: `select` without parameters.
bool is_cross_validation(const Selection& selection);

/// The study whose repeats are the folds of these cross-validations, one for each variant; with
/// several repeats, the folds of each. Throws Error where the variants' folds or figures differ.
Study with_folds_as_repeats(Study study);

}  // namespace semblance
