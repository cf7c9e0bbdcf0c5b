// SPDX-License-Identifier: MIT
#include "report/html_report.hpp"

#include <fmt/format.h>

#include "report/atomic_file.hpp"
#include "report/html.hpp"
#include "report/number_text.hpp"
#include "report/page_assets.hpp"
#include "report/report_sections.hpp"

namespace semblance {
namespace {

using html::escaped;

/// "2025-01-12T10:22:03Z" as "2025-01-12 10:22 UTC"; anything else as it is.
std::string date_text(const std::string& iso) {
  if (iso.size() < 17 || iso[10] != 'T' || !iso.ends_with('Z')) return iso;
  return iso.substr(0, 10) + " " + iso.substr(11, 5) + " UTC";
}

std::string head(const RunRecord& run) {
  // The policy makes sure of it: nothing is ever fetched.
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{} · Semblance</title>
<style>
{}</style>
</head>
)",
      escaped(run.pipeline), page_assets::style);
}

std::string title(const RunRecord& run) {
  std::string out =
      fmt::format("<header><p class=\"kind\">Semblance run</p><h1>{}</h1>", escaped(run.pipeline));
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

}  // namespace

std::string html_report(const RunRecord& run) {
  std::string page = head(run) + "<body>\n<main>\n" + title(run) + warnings(run);
  page += report_sections::headline(run) + report_sections::results(run) +
          report_sections::graph(run) + report_sections::timing(run) +
          report_sections::provenance(run);
  page += fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", page_assets::script);
  return page;
}

void write_html_report(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, html_report(run));
}

}  // namespace semblance
