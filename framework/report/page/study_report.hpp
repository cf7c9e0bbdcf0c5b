// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "report/study_record.hpp"

namespace semblance {

/// The report of a study: one page that needs no network; its links go to variants/NAME/
/// metrics.json next to it. Throws Error if the comparison does not match the results or the graph
/// is not an SVG.
std::string html_study_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file);

}  // namespace semblance
