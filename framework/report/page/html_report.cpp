// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"

#include "report/page/page_frame.hpp"
#include "report/page/report_sections.hpp"
#include "support/atomic_file.hpp"

namespace semblance {

std::string html_report(const RunRecord& run) {
  return framed_page(run, "run",
                     report_sections::headline(run) + report_sections::selection(run) +
                         report_sections::results(run) + report_sections::graph(run) +
                         report_sections::timing(run) + report_sections::provenance(run));
}

void write_html_report(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, html_report(run));
}

}  // namespace semblance
