// SPDX-License-Identifier: MIT
#include "pipeline/graph_drawing.hpp"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "semblance/error.hpp"

namespace semblance {
namespace {

/// Light fills on which black text stays readable.
const char* colour(std::string_view kind) {
  static const std::map<std::string_view, const char*> colours = {
      {"source", "#d9e8f6"}, {"feature", "#dcefdc"},    {"normalizer", "#eeeeee"},
      {"basis", "#fbe6cf"},  {"similarity", "#e6def2"}, {"pairs", "#fbe6cf"},
      {"solver", "#f7d9d9"}, {"calibrator", "#d5eeee"}, {"evaluator", "#fff4c2"}};
  const auto found = colours.find(kind);
  return found == colours.end() ? "#ffffff" : found->second;
}

std::string dot_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct FreeGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

/// Collects Graphviz's complaints instead of letting it print them.
std::string& complaints() {
  static std::string text;
  return text;
}

int collect(char* message) {
  complaints() += message;
  return 0;
}

}  // namespace

std::string dot_text(const Pipeline& pipeline) {
  std::string text = "digraph " + dot_quoted(pipeline.name) +
                     " {\n"
                     "  rankdir=LR;\n"
                     "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", "
                     "fontsize=11];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=9];\n";
  for (const PipelineNode& node : pipeline.nodes) {
    if (node.held_out) continue;
    std::string label = dot_quoted(node.name);
    label.back() = '\\';
    label += "n" + dot_quoted(node.component.id).substr(1);
    text += "  " + dot_quoted(node.name) + " [label=" + label + ", fillcolor=\"" +
            colour(node.info().kind()) + "\"];\n";
  }
  for (const PipelineNode& node : pipeline.nodes)
    for (const PipelineInput& input : node.inputs)
      for (const std::size_t feeder : input.nodes)
        if (!pipeline.nodes[feeder].held_out && !node.held_out)
          text += "  " + dot_quoted(pipeline.nodes[feeder].name) + " -> " + dot_quoted(node.name) +
                  (input.port == "from" ? "" : " [label=" + dot_quoted(input.port) + "]") + ";\n";
  return text + "}\n";
}

std::string svg_text(const Pipeline& pipeline) {
  static std::mutex one_at_a_time;  // Graphviz has its state in globals
  const std::lock_guard lock(one_at_a_time);
  complaints().clear();
  agseterrf(collect);
  agseterr(AGERR);
  const auto fail = [](const std::string& what) {
    throw Error("the graph cannot be drawn: Graphviz " + what +
                (complaints().empty() ? "" : ": " + complaints()));
  };

  // One context for all drawings: Graphviz 2.42 stores a font of the first context in a global, and
  // reads it after that context has been freed.
  static const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, FreeGraph> graph(agmemread(dot_text(pipeline).c_str()));
  if (!graph) fail("cannot read it");
  if (gvLayout(context.get(), graph.get(), "dot") != 0) fail("cannot lay it out");
  char* data = nullptr;
  unsigned length = 0;
  const int status = gvRenderData(context.get(), graph.get(), "svg", &data, &length);
  std::string svg(data ? data : "", data ? length : 0);
  gvFreeRenderData(data);
  gvFreeLayout(context.get(), graph.get());
  if (status != 0 || svg.empty()) fail("cannot write SVG");
  return svg;
}

}  // namespace semblance
