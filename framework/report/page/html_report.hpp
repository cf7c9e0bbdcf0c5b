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

/// The report of one variant of a study, in variants/NAME next to the study's report: its figures
/// and tables. Without curves and maps, which the study's page compares, since these need the
/// charting library, and there may be thousands of variants. `run` holds the variant's nodes.
std::string html_variant_report(RunRecord run, const std::string& variant);

/// Writes report.html atomically; throws Error.
void write_html_variant_report(const RunRecord& run, const std::string& variant,
                               const std::filesystem::path& file);

/// The report of a study in steps: what each step compared and chose, with links to the pages of
/// the steps, steps/NAME/report.html next to it.
std::string html_steps_report(const StudyRecord& study);

/// Writes report.html atomically; throws Error.
void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file);

/// The view of a run in a notebook: the page's headline and its confusion matrices, with the page's
/// style and without scripts. A piece of HTML whose style does not affect the notebook.
std::string notebook_view(const RunRecord& run);

/// The view of a study in a notebook: the page's headline and its table of results. Empty for a
/// study in steps. Throws Error if the comparison does not match the results.
std::string notebook_view(const StudyRecord& study);

}  // namespace semblance
