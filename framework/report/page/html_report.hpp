// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "report/run_record.hpp"
#include "report/study_record.hpp"

namespace semblance {

/// The report of a run: one self-contained page that needs no network.
std::string html_report(const RunRecord& run);

/// Writes report.html atomically; throws Error.
void write_html_report(const RunRecord& run, const std::filesystem::path& file);

/// The report of a study: one page that needs no network; its links go to variants/NAME/
/// report.html next to it. Throws Error if the comparison does not match the results or the graph
/// is not an SVG.
std::string html_study_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file);

/// The report of one variant of a study, in variants/NAME next to the study's report: its figures,
/// tables and drawings, without the curves and maps, which the study's page compares. `run` holds
/// the variant's nodes. There may be thousands of variants: they share the scripts in page.js next
/// to the study's report.
std::string html_variant_report(RunRecord run, const std::string& variant);

/// Writes report.html atomically, and page.js if it is not there; throws Error.
void write_html_variant_report(const RunRecord& run, const std::string& variant,
                               const std::filesystem::path& file);

/// The report of a study in steps: what each step compared and chose, with links to the pages of
/// the steps, steps/NAME/report.html next to it.
std::string html_steps_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file);

}  // namespace semblance
