// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/page/chart.hpp"
#include "report/page/confusion_matrix.hpp"
#include "report/page/html.hpp"
#include "report/page/page_assets.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/study_sections.hpp"
#include "support/atomic_file.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {

namespace {

using html::escaped;

/// "2025-01-12T10:22:03Z" as "2025-01-12 10:22 UTC"; other text is unchanged.
std::string date_text(const std::string& iso) {
  if (iso.size() < 17 || iso[10] != 'T' || !iso.ends_with('Z')) return iso;
  return iso.substr(0, 10) + " " + iso.substr(11, 5) + " UTC";
}

std::string head(const RunRecord& run) {
  // The policy guarantees that nothing is fetched.
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>{} · Semblance</title>
<style>
{}</style>
</head>
)",
      escaped(run.pipeline), page_assets::style);
}

std::string title(const RunRecord& run, std::string_view kind) {
  std::string out = fmt::format("<header><p class=\"kind\">Semblance {}</p><h1>{}</h1>", kind,
                                escaped(run.pipeline));
  if (!run.description.empty())
    out += fmt::format("<p class=\"lead\">{}</p>", escaped(run.description));
  out += "<p class=\"facts\">";
  if (!run.started.empty()) out += fmt::format("<span>{}</span> ", escaped(date_text(run.started)));
  out += fmt::format(
      "<span>seed {}</span> <span>{} thread{}</span> <span>{}</span> <span>{} of memory</span></p>",
      run.seed, run.threads, run.threads == 1 ? "" : "s", escaped(seconds_text(run.wall_seconds)),
      bytes_text(static_cast<double>(run.peak_memory_bytes)));
  return out + "</header>\n";
}

std::string warnings(const RunRecord& run) {
  if (run.warnings.empty()) return "";
  std::string out = R"(<section class="warnings" role="note"><h2>Warnings</h2><ul>)";
  for (const std::string& warning : run.warnings)
    out += fmt::format("<li>{}</li>", escaped(warning));
  return out + "</ul></section>\n";
}

std::string scripts(const std::string& sections) {
  std::string out;
  // D3 is four fifths of a page: it is included only where it draws something.
  if (chart::has_charts(sections))
    out = fmt::format("<script>\n{}\n{}</script>\n", page_assets::d3_notice, page_assets::d3);
  return out + fmt::format("<script>\n{}</script>\n", page_assets::script);
}

/// A whole page: head, title and warnings out of `run`, the sections, and the scripts they need.
/// `kind` is the page's subject: "run", "study". Nothing is ever fetched.
std::string framed_page(const RunRecord& run, std::string_view kind, const std::string& sections) {
  return head(run) + "<body>\n<main>\n" + title(run, kind) + warnings(run) + sections +
         "</main>\n" + scripts(sections) + "</body>\n</html>\n";
}

std::string explanation(const SelectionRecord& choice) {
  const TrialRecord& chosen = choice.trials[choice.chosen];
  std::string text = fmt::format("Chosen: {}, with {} {}", values_text(choice, chosen),
                                 choice.metric, figure_text(choice.unit, chosen.mean));
  if (choice.folds > 1)
    text += fmt::format(" ± {} (mean and standard error over {} repeats)",
                        figure_text(choice.unit, chosen.error), choice.folds);
  text += fmt::format(". The {}est of {} means wins", choice.higher_is_better ? "high" : "low",
                      choice.trials.size());
  if (choice.within > 0)
    text += fmt::format(", or the first that is at most {} % worse",
                        quantity_text(100 * choice.within));
  const std::string remark = edge_remark(choice);
  return text + "." + (remark.empty() ? "" : " At the edge: " + remark + ".");
}

std::string section(const StepRecord& step, std::size_t number) {
  return fmt::format(
      "<section id=\"step{}\"><h2>Step {}: {}</h2><p class=\"summary\">{}</p>{}<p><a "
      "href=\"steps/{}/report.html\">Everything this step compared</a></p></section>\n",
      number, number, escaped(step.name), escaped(explanation(step.choice)),
      report_sections::trials(step.choice, step.name), escaped(step.name));
}

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

std::string html_report(const RunRecord& run) {
  return framed_page(run, "run",
                     report_sections::headline(run) + report_sections::selection(run) +
                         report_sections::results(run) + report_sections::graph(run) +
                         report_sections::timing(run) + report_sections::provenance(run));
}

void write_html_report(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, html_report(run));
}

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

std::string html_steps_report(const StudyRecord& study) {
  std::string sections;
  for (std::size_t s = 0; s < study.steps.size(); ++s) sections += section(study.steps[s], s + 1);
  return framed_page(
      study.run, "study",
      sections + report_sections::graph(study.run) + report_sections::provenance(study.run));
}

void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_steps_report(study));
}

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
