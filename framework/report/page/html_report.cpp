// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"

#include <fmt/format.h>

#include "report/page/confusion_matrix.hpp"
#include "report/page/html.hpp"
#include "report/page/page_frame.hpp"
#include "report/page/report_sections.hpp"
#include "support/atomic_file.hpp"
#include "support/figure_text.hpp"

namespace semblance {
namespace {

std::string confusion_matrices(const RunRecord& run) {
  std::string out;
  for (const NodeRecord& node : run.nodes) {
    if (node.kind() != "evaluator") continue;
    for (const Table& table : node.tables)
      if (is_confusion_matrix(table))
        out +=
            fmt::format("<h4>{}, {}</h4>{}", html::escaped(node.name),
                        html::escaped(words(table.name)), confusion_matrix_html(table, node.name));
  }
  return out;
}

}  // namespace

std::string html_report(const RunRecord& run) {
  return framed_page(run, "run", report_sections::headline(run),
                     report_sections::selection(run) + report_sections::results(run) +
                         report_sections::graph(run) + report_sections::timing(run) +
                         report_sections::provenance(run));
}

void write_html_report(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, html_report(run));
}

std::string notebook_view(const RunRecord& run) {
  return notebook_frame(report_sections::headline(run) + confusion_matrices(run));
}

}  // namespace semblance
