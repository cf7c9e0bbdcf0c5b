// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "report/study_record.hpp"

namespace semblance {

/// The report of a study in steps: what each step compared and chose, with links to the pages of
/// the steps, steps/NAME/report.html next to it.
std::string html_steps_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file);

}  // namespace semblance
