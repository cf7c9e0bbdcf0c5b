// SPDX-License-Identifier: MIT
#pragma once

#include "report/study_record.hpp"

namespace semblance::testing {

/// A study like the result of a run, filled by hand: `similarities` x `sizes` x `solvers`
/// combinations, all repeated `repeats` times. Error rates fall with the size of the basis, the
/// first combination is the baseline, the second one failed, the last one is best.
StudyRecord sample_study(std::size_t similarities, std::size_t sizes, std::size_t solvers,
                         std::size_t repeats);

/// Two methods on three data sets with two seeds each, as from group_over_slot(). A fourth set was
/// excluded by a filter.
StudyRecord study_over_data();

}  // namespace semblance::testing
