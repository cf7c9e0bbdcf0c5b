// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/study_record.hpp"

namespace semblance {

/// What a notebook shows of a run: the page's headline and its confusion matrices, with the page's
/// style and without scripts. A piece of HTML whose style stays inside it.
std::string notebook_view(const RunRecord& run);

/// What a notebook shows of a study: the page's headline and its table of results. Empty for a
/// study in steps. Throws Error if the comparison does not match the results.
std::string notebook_view(const StudyRecord& study);

}  // namespace semblance
