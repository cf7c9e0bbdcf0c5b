// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/overrides.hpp"
#include "pipeline/problems.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// Warns of changes from the command line without effect, since all alternatives of a slot change
/// the same place afterwards. `where` names the slots in the message: "select.parameters".
void warn_of_idle_changes(const std::vector<Override>& given, const std::vector<Slot>& slots,
                          const std::string& where, Problems& problems);

}  // namespace semblance
