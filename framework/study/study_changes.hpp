// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/overrides.hpp"
#include "pipeline/problems.hpp"

namespace semblance {

/// Removes from `given` the changes to the study itself: --set study.repeats.seeds=10.
std::vector<Override> take_study_changes(std::vector<Override>& given);

/// Changes the tree of a study in order, before it is read. All parts of a path but the last must
/// exist, so that a misspelt slot is not taken for a new one; errors are reported.
void change_study(const std::vector<Override>& changes, YamlNode& root, Problems& problems);

}  // namespace semblance
