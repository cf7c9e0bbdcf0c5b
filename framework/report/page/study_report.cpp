// SPDX-License-Identifier: MIT
#include "report/page/study_report.hpp"

#include "report/page/page_frame.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/study_sections.hpp"
#include "support/atomic_file.hpp"

namespace semblance {

std::string html_study_report(const StudyRecord& study) {
  const StudyMethods methods(study);
  return framed_page(study.run, "study",
                     study_sections::failures(methods) + study_sections::headline(methods) +
                         study_sections::results_table(methods) + study_sections::charts(methods) +
                         study_sections::curves(methods) + report_sections::graph(study.run) +
                         report_sections::timing(study.run) +
                         report_sections::provenance(study.run));
}

void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_study_report(study));
}

}  // namespace semblance
