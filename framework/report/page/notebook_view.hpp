// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/study_record.hpp"

namespace semblance {

/// The view of a run in a notebook: the page's headline and its confusion matrices, with the page's
/// style and without scripts. A piece of HTML whose style does not affect the notebook.
std::string notebook_view(const RunRecord& run);

/// The view of a study in a notebook: the page's headline and its table of results. Empty for a
/// study in steps. Throws Error if the comparison does not match the results.
std::string notebook_view(const StudyRecord& study);

}  // namespace semblance
