// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/pipeline.hpp"
#include "study/study.hpp"

namespace semblance {

/// "fold=2"; with the name of the seed before it: "seed=1,fold=2".
std::string name_of_repeat(const std::string& seed, std::size_t fold);

/// Makes the pipeline one that learns without a fold of its training rows and is tested on it.
/// Where it chooses parameters, it does so on folds of the rows that are left.
void hold_out(SelectingPipeline& pipeline, const Fold& fold);

/// Whether a variant of the study has nothing but a cross-validation to judge it by, if there are
/// no test rows: `select` without parameters.
bool is_cross_validation(const Selection& selection);

/// The study whose repeats are the folds of these cross-validations, one for each variant; with
/// several repeats, of each of them. Throws Error where the variants' folds or figures differ.
Study with_folds_as_repeats(Study study);

}  // namespace semblance
