// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"

#include <fmt/format.h>

#include "report/page/page_assets.hpp"
#include "report/page/page_data.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace page {
namespace {

using Json = nlohmann::ordered_json;

std::string scripts() {
  return fmt::format("{}\n{}{}", page_assets::d3_notice, page_assets::d3, page_assets::script);
}

/// JSON as a block of the page that no text in it can close.
std::string data_block(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  // A < occurs only in texts, where it may be escaped by its number: </script> and <!-- too.
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

/// `from` are the sources of scripts besides the page itself. The policy guarantees that nothing is
/// fetched from elsewhere.
std::string framed(const Json& data, const char* from, const std::string& script) {
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'{}; img-src data:">
<title>Semblance {}</title>
<style>
{}</style>
</head>
<body>
<main><p class="note">This page shows its figures by scripts: allow JavaScript to read it. The file
metrics.json next to it has all figures, too.</p></main>
<script type="application/json" id="data">{}</script>
{}
</body>
</html>
)",
                     from, data["kind"].get<std::string>(), page_assets::style, data_block(data),
                     script);
}

}  // namespace

std::string page_of(const Json& data) {
  return framed(data, "", "<script>\n" + scripts() + "</script>");
}

std::string page_beside_scripts(const Json& data) {
  return framed(data, " 'self' file:", R"(<script src="../../page.js"></script>)");
}

}  // namespace page

std::string html_report(const RunRecord& run) { return page::page_of(page::run_data(run, "run")); }

void write_html_report(const RunRecord& run, const std::filesystem::path& file) {
  write_file_atomically(file, html_report(run));
}

std::string html_variant_report(RunRecord run, const std::string& variant) {
  run.description = variant;
  // These are the study's, whose page has them. Workers that share a study write the same pages.
  run.started.clear();
  run.threads = 0;
  run.peak_memory_bytes = 0;
  for (NodeRecord& node : run.nodes) {
    node.curves.clear();
    node.plane_maps.clear();
  }
  return page::page_beside_scripts(page::run_data(run, "variant"));
}

void write_html_variant_report(const RunRecord& run, const std::string& variant,
                               const std::filesystem::path& file) {
  const auto shared = file.parent_path().parent_path().parent_path() / "page.js";
  if (!std::filesystem::exists(shared)) write_file_atomically(shared, page::scripts());
  write_file_atomically(file, html_variant_report(run, variant));
}

}  // namespace semblance
