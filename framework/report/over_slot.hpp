// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "report/study_record.hpp"

namespace semblance {

/// Turns a slot of the study's results into blocks, one per alternative. The methods are then the
/// combinations of the other slots, measured on each alternative by the mean over the repeats. So
/// methods are compared over data sets. A method that lacks a value of any repeat has none on that
/// block. `comparison` is unchanged. The baseline's choice in the slot is ignored.
void group_over_slot(StudyRecord& study, std::size_t slot);

}  // namespace semblance
