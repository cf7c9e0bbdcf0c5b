// SPDX-License-Identifier: MIT
#pragma once

#include "pipeline/pipeline.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// Reports `folds` by group of sources whose samples have no groups, and leave-one-out on samples
/// that have groups.
void check_fold_groups(const StudySpecification& specification, const Pipeline& pipeline,
                       const Catalogue& catalogue, Problems& problems);

}  // namespace semblance
