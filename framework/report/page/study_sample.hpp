// SPDX-License-Identifier: MIT
#pragma once

#include "report/study_record.hpp"

namespace semblance::testing {

/// A study like the result of a run, filled by hand: `similarities` x `sizes` x `solvers`
/// combinations, all repeated `repeats` times. Error rates fall with the size of the basis, the
/// first combination is the baseline, the second one failed, the last one is best.
StudyRecord sample_study(std::size_t similarities, std::size_t sizes, std::size_t solvers,
                         std::size_t repeats);

}  // namespace semblance::testing
