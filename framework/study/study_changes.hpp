// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/overrides.hpp"
#include "pipeline/problems.hpp"

namespace semblance {

/// Takes out of `given` what changes the study itself: --set study.repeats.seeds=10.
std::vector<Override> take_study_changes(std::vector<Override>& given);

/// Changes the tree of a study in order, before it is read. All parts of a path but the last must
/// be there, so that a misspelt slot is not taken for a new one; whatever is wrong is reported.
void change_study(const std::vector<Override>& changes, YamlNode& root, Problems& problems);

}  // namespace semblance
