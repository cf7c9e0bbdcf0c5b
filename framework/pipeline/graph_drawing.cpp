// SPDX-License-Identifier: MIT
#include "pipeline/graph_drawing.hpp"

#include <map>
#include <string_view>

#include "registry/doors.hpp"

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
  using Draw = std::string(const std::string& dot);
  auto* const draw = reinterpret_cast<Draw*>(
      door_function("drawing", "semblance_svg_of_dot", "rebuild or reinstall the program"));
  return draw(dot_text(pipeline));
}

}  // namespace semblance
