// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "semblance/error.hpp"
#include "support/number_text.hpp"

namespace semblance::report_sections {
namespace {

using html::escaped;

std::string entry(std::string_view name, const std::string& content) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>", name, content);
}

std::string memory_text(const RunRecord& run) {
  std::string text = bytes_text(static_cast<double>(run.peak_memory_bytes)) + " at the peak";
  if (run.memory_budget > 0)
    text += fmt::format(" of a budget of {}", bytes_text(static_cast<double>(run.memory_budget)));
  return text;
}

std::string checksums(const std::string& title, const std::string& what,
                      const std::vector<std::pair<std::string, std::string>>& items) {
  if (items.empty()) return "";
  std::string out =
      fmt::format(R"(<h3>{}</h3><div class="scroll"><table class="files"><thead><tr>)"
                  R"(<th scope="col">{}</th><th scope="col">Checksum</th></tr></thead><tbody>)",
                  title, what);
  for (const auto& [name, checksum] : items)
    out += fmt::format(R"(<tr><th scope="row">{}</th><td><code>{}</code></td></tr>)", escaped(name),
                       escaped(checksum));
  return out + "</tbody></table></div>";
}

}  // namespace

std::string graph(const RunRecord& run) {
  if (run.graph_svg.empty()) return "";
  // The preamble (<?xml …>, <!DOCTYPE …>) belongs to a separate file.
  const std::size_t start = run.graph_svg.find("<svg");
  if (start == std::string::npos) throw Error("the graph for the report is not an SVG picture");
  return fmt::format(
      R"(<section id="pipeline"><h2>Pipeline</h2><figure class="graph" data-title="pipeline">)"
      R"(<div class="picture"><svg role="img" aria-label="the graph of {}"{}</div></figure></section>)"
      "\n",
      escaped(run.pipeline), std::string_view(run.graph_svg).substr(start + 4));
}

std::string timing(const RunRecord& run) {
  const std::string tree = timing_tree_html(run);
  if (tree.empty()) return "";
  return "<section id=\"time\"><h2>Time and memory</h2>" + tree + "</section>\n";
}

std::string provenance(const RunRecord& run) {
  std::string out = "<section id=\"reproduce\" class=\"provenance\"><h2>Reproduce this run</h2>";
  if (!run.command.empty())
    out += fmt::format(R"(<pre class="command">{}</pre>)", escaped(run.command));
  out += "<dl>" + entry("Seed", fmt::format("{}", run.seed)) +
         entry("Semblance", escaped(run.version)) +
         entry("Threads", fmt::format("{}", run.threads)) + entry("Memory", memory_text(run)) +
         entry("Wall time", escaped(seconds_text(run.wall_seconds))) +
         entry("Started", escaped(run.started)) + "</dl>";
  out += checksums("Data files", "File", run.files) +
         checksums("Plugins", "Name and version", run.plugins);
  if (!run.resolved_pipeline.empty())
    out += fmt::format(
        "<details><summary>The pipeline with all parameters</summary><pre>{}</pre></details>",
        escaped(run.resolved_pipeline));
  return out + "</section>\n";
}

}  // namespace semblance::report_sections
