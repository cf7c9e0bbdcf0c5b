// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "report/metrics.hpp"
#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "semblance/error.hpp"
#include "support/number_text.hpp"

namespace semblance::report_sections {
namespace {

using html::escaped;

/// "cell 8, bins 9".
std::string parameters_text(const nlohmann::ordered_json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    if (!text.empty()) text += ", ";
    text += name + " ";
    text += value.is_string()
                ? value.get<std::string>()
                : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  return text;
}

/// Whether it comes from the store, and since when: its reported times are of that run.
std::string state_text(const NodeRecord& node) {
  std::string text = node.cached ? R"(<span class="pill">cached</span>)" : "";
  if (node.measured)
    text += fmt::format(R"(<span class="parameters" title="{}">from {}</span>)",
                        escaped(node.measured->processor), escaped(measured_text(*node.measured)));
  return text;
}

std::string timing_row(const NodeRecord& node, double slowest) {
  const double share = slowest > 0 && node.seconds > 0 ? node.seconds / slowest : 0;
  const std::string parameters = parameters_text(node.parameters);
  return fmt::format(
      R"(<tr><th scope="row"><span class="name">{}</span> <code title="{}">{}</code>)"
      R"({}</th><td class="time" data-v="{}"><span class="bar">)"
      R"(<i style="width:{:.1f}%"></i></span>)"
      R"(<span class="seconds">{}</span></td><td class="state">{}</td>)"
      R"(<td{} data-v="{}">{}</td></tr>)"
      "\n",
      escaped(node.name), escaped(node.summary), escaped(node.component),
      parameters.empty()
          ? ""
          : fmt::format(R"(<span class="parameters">{}</span>)", escaped(parameters)),
      node.seconds, 100 * share, escaped(seconds_text(node.seconds)), state_text(node),
      node.bytes > 0 ? "" : R"( class="none")", node.bytes,
      node.bytes > 0 ? bytes_text(static_cast<double>(node.bytes)) : "–");
}

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
  return fmt::format(R"(<section><h2>Pipeline</h2><figure class="graph" data-title="pipeline">)"
                     R"(<div class="picture">{}</div></figure></section>)"
                     "\n",
                     std::string_view(run.graph_svg).substr(start));
}

std::string timing(const RunRecord& run) {
  if (run.nodes.empty()) return "";
  double slowest = 0, total = 0;
  std::size_t kept = 0;
  for (const NodeRecord& node : run.nodes) {
    slowest = std::max(slowest, node.seconds);
    total += node.seconds;
    kept += node.bytes;
  }
  std::string out =
      R"(<section><h2>Time</h2><div class="scroll"><table class="timing sortable"><thead><tr>)"
      R"(<th scope="col">Node</th><th scope="col">Busy</th><th scope="col"></th>)"
      R"(<th scope="col">Kept</th></tr></thead><tbody>)";
  for (const NodeRecord& node : run.nodes) out += timing_row(node, slowest);
  out += "</tbody></table></div>";
  out += fmt::format(
      R"(<p class="note">The nodes were busy for {} in total, summed over {} thread{}, and the run )"
      R"(took {}. Outputs of {} are kept.</p></section>)"
      "\n",
      escaped(seconds_text(total)), run.threads, run.threads == 1 ? "" : "s",
      escaped(seconds_text(run.wall_seconds)), bytes_text(static_cast<double>(kept)));
  return out;
}

std::string provenance(const RunRecord& run) {
  std::string out = "<section class=\"provenance\"><h2>Reproduce this run</h2>";
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
