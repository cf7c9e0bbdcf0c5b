// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "report/study_record.hpp"

namespace semblance {

/// The report of a study: one page that needs no network; its links go to variants/NAME/
/// metrics.json beside it. Throws Error when the comparison is not one of the results or the graph
/// is no SVG.
std::string html_study_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file);

}  // namespace semblance
