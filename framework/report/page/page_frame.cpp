// SPDX-License-Identifier: MIT
#include "report/page/page_frame.hpp"

#include <fmt/format.h>

#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "report/page/page_assets.hpp"
#include "report/page/warning_kinds.hpp"
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
  out += fmt::format("<span>seed {}</span>", run.seed);
  if (run.threads > 0)
    out += fmt::format(" <span>{} thread{}</span>", run.threads, run.threads == 1 ? "" : "s");
  if (run.wall_seconds > 0)
    out += fmt::format(" <span>{}</span>", escaped(seconds_text(run.wall_seconds)));
  if (run.peak_memory_bytes > 0)
    out += fmt::format(" <span>{} of memory</span>",
                       bytes_text(static_cast<double>(run.peak_memory_bytes)));
  return out + "</p></header>\n";
}

/// Links to the sections that have an id and a heading, in their order.
std::string contents(std::string_view sections) {
  constexpr std::string_view start = "<section id=\"";  // in a text the quote is escaped
  std::string links;
  std::size_t found = 0;
  for (std::size_t at = sections.find(start); at != std::string_view::npos;
       at = sections.find(start, at + 1)) {
    const std::size_t id = at + start.size();
    const std::size_t tag = sections.find('>', id) + 1;
    if (!sections.substr(tag).starts_with("<h2>")) continue;
    const std::size_t title = tag + 4;
    links +=
        fmt::format(R"(<a href="#{}">{}</a> )", sections.substr(id, sections.find('"', id) - id),
                    sections.substr(title, sections.find("</h2>", title) - title));
    ++found;
  }
  return found < 2 ? ""
                   : R"(<nav class="contents" aria-label="On this page">)" + links + "</nav>\n";
}

std::string scripts(const std::string& sections) {
  std::string out;
  // D3 is four fifths of a page: it is included only where it draws something.
  if (chart::has_charts(sections))
    out = fmt::format("<script>\n{}\n{}</script>\n", page_assets::d3_notice, page_assets::d3);
  return out + fmt::format("<script>\n{}</script>\n", page_assets::script);
}

}  // namespace

std::string framed_page(const RunRecord& run, std::string_view kind, const std::string& result,
                        const std::string& sections) {
  const std::string content = result + warnings_html(run.warnings) + sections;
  return head(run) + "<body>\n<main>\n" + title(run, kind) + contents(content) + content +
         "</main>\n" + scripts(content) + "</body>\n</html>\n";
}

std::string plain_page(const RunRecord& run, std::string_view kind, const std::string& content) {
  return head(run) + "<body>\n<main>\n" + title(run, kind) + content +
         "</main>\n</body>\n</html>\n";
}

// The page's rules are nested so that they do not affect the notebook. In there, rules for the
// whole page select nothing: the class `light` sets the colours, and other rules follow below.
std::string notebook_frame(const std::string& sections) {
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

}  // namespace semblance
