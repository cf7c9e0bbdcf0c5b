// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/page/study_methods.hpp"

/// The sections of a study's page; each is empty if it has no content.
namespace semblance::study_sections {

/// The variants that did not finish, with their errors.
std::string failures(const StudyMethods& methods);

/// The best combination against the baseline, and the size of the study.
std::string headline(const StudyMethods& methods);

/// One row per combination: choices, mean, ranks, tests against the baseline, links to the
/// variants.
std::string results_table(const StudyMethods& methods);

/// Pictures of the results, and the data from which they are drawn.
std::string charts(const StudyMethods& methods);

/// The curves that nodes of the variants reported, overlaid.
std::string curves(const StudyMethods& methods);

}  // namespace semblance::study_sections
