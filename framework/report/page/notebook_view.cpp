// SPDX-License-Identifier: MIT
#include "report/page/notebook_view.hpp"

#include <fmt/format.h>

#include "report/page/confusion_matrix.hpp"
#include "report/page/html.hpp"
#include "report/page/page_assets.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/study_sections.hpp"
#include "support/figure_text.hpp"

namespace semblance {
namespace {

/// The page's rules, nested so that they do not affect the notebook. In there, rules for the whole
/// page select nothing: the class `light` sets the colours, and other rules follow below.
std::string framed(const std::string& sections) {
  if (sections.empty()) return "";
  return fmt::format(
      R"(<div class="semblance-view"><style>
.semblance-view {{
{}
.light {{ background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans);
  font-variant-numeric: tabular-nums lining-nums; padding: 4px 20px 20px; max-width: 1060px; }}
.headline {{ margin-top: 16px; }}
h2 {{ margin-top: 28px; font-size: 18px; }}
.figure dd {{ font-size: 36px; }}
.links, .offstage, script {{ display: none; }}
}}</style><div class="light">
{}</div></div>
)",
      page_assets::style, sections);
}

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

std::string notebook_view(const RunRecord& run) {
  return framed(report_sections::headline(run) + confusion_matrices(run));
}

std::string notebook_view(const StudyRecord& study) {
  if (!study.steps.empty()) return "";
  const StudyMethods methods(study);
  return framed(study_sections::failures(methods) + study_sections::headline(methods) +
                study_sections::results_table(methods));
}

}  // namespace semblance
