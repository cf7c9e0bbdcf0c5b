// SPDX-License-Identifier: MIT
#include <utility>

#include "report/page/confusion_matrix.hpp"
#include "report/page/drawing_chart.hpp"
#include "report/page/html_report.hpp"
#include "report/page/page_frame.hpp"
#include "report/page/report_sections.hpp"
#include "support/atomic_file.hpp"

namespace semblance {
namespace {

constexpr const char* links = R"(<p class="links"><a href="../../report.html">The study</a> )"
                              R"(<a href="metrics.json">All figures (JSON)</a> )"
                              R"(<a href="pipeline.yaml">Its pipeline (YAML)</a></p>)"
                              "\n";

/// Whether a script draws the table.
bool is_chart(const Table& table) {
  return is_confusion_matrix(table) && !is_matrix_of_text(table);
}

}  // namespace

std::string html_variant_report(RunRecord run, const std::string& variant) {
  run.description = variant;
  // These are the study's, whose page has them. Workers that share a study write the same pages.
  run.started.clear();
  run.threads = 0;
  run.peak_memory_bytes = 0;
  for (NodeRecord& node : run.nodes) {
    node.curves.clear();
    node.plane_maps.clear();
    std::erase_if(node.tables, is_chart);
    std::erase_if(node.drawings, needs_script);
  }
  return plain_page(run, "variant",
                    links + report_sections::headline(run) +
                        report_sections::selection_as_table(run) + report_sections::results(run));
}

void write_html_variant_report(const RunRecord& run, const std::string& variant,
                               const std::filesystem::path& file) {
  write_file_atomically(file, html_variant_report(run, variant));
}

}  // namespace semblance
