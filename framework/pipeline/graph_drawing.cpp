// SPDX-License-Identifier: MIT
#include "pipeline/graph_drawing.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

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

constexpr std::size_t most_components = 4;

/// A node by its name, in all variants that have it.
struct DrawnNode {
  std::string name;
  std::vector<std::string> components;  ///< different ones, in the order of the variants
  const char* colour = "";
  std::size_t variants = 0;
};

/// An input's edge, in all variants that have it.
struct DrawnEdge {
  std::string from, to, port;
  std::size_t variants = 0;
};

struct DrawnGraph {
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
  std::size_t variants = 0;
};

void add_node(DrawnGraph& graph, const PipelineNode& node) {
  auto drawn = std::ranges::find(graph.nodes, node.name, &DrawnNode::name);
  if (drawn == graph.nodes.end())
    drawn = graph.nodes.insert(drawn, {node.name, {}, colour(node.info().kind())});
  ++drawn->variants;
  if (std::ranges::find(drawn->components, node.component.id) == drawn->components.end())
    drawn->components.push_back(node.component.id);
}

void add_edge(DrawnGraph& graph, const std::string& from, const std::string& to,
              const std::string& port) {
  const auto same = [&](const DrawnEdge& edge) {
    return edge.from == from && edge.to == to && edge.port == port;
  };
  auto drawn = std::ranges::find_if(graph.edges, same);
  if (drawn == graph.edges.end()) drawn = graph.edges.insert(drawn, {from, to, port});
  ++drawn->variants;
}

DrawnGraph drawn_graph(std::span<const Pipeline* const> variants) {
  DrawnGraph graph;
  graph.variants = variants.size();
  for (const Pipeline* pipeline : variants) {
    for (const PipelineNode& node : pipeline->nodes)
      if (!node.held_out) add_node(graph, node);
    for (const PipelineNode& node : pipeline->nodes)
      for (const PipelineInput& input : node.inputs)
        for (const std::size_t feeder : input.nodes)
          if (!pipeline->nodes[feeder].held_out && !node.held_out)
            add_edge(graph, pipeline->nodes[feeder].name, node.name, input.port);
  }
  return graph;
}

/// The name and the components, in lines.
std::string label(const DrawnNode& node) {
  const auto escaped_line = [](const std::string& text) {
    const std::string quoted = dot_quoted(text);
    return quoted.substr(1, quoted.size() - 2);
  };
  std::string text = escaped_line(node.name);
  for (std::size_t i = 0; i < node.components.size() && i < most_components; ++i)
    text += "\\n" + escaped_line(node.components[i]);
  if (node.components.size() > most_components)
    text += "\\nand " + std::to_string(node.components.size() - most_components) + " more";
  return "\"" + text + "\"";
}

std::string svg_of_dot(const std::string& dot) {
  using Draw = std::string(const std::string& dot);
  auto* const draw = reinterpret_cast<Draw*>(
      door_function("drawing", "semblance_svg_of_dot", "rebuild or reinstall the program"));
  return draw(dot);
}

}  // namespace

std::string merged_dot_text(std::span<const Pipeline* const> variants) {
  const DrawnGraph graph = drawn_graph(variants);
  std::string text = "digraph " + dot_quoted(variants.empty() ? "" : variants.front()->name) +
                     " {\n"
                     "  rankdir=LR;\n"
                     "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", "
                     "fontsize=11];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=9];\n";
  for (const DrawnNode& node : graph.nodes)
    text += "  " + dot_quoted(node.name) + " [label=" + label(node) + ", fillcolor=\"" +
            node.colour + "\"" +
            (node.variants < graph.variants ? ", style=\"rounded,filled,dashed\"" : "") + "];\n";
  for (const DrawnEdge& edge : graph.edges) {
    std::string style = edge.port == "from" ? "" : "label=" + dot_quoted(edge.port);
    if (edge.variants < graph.variants)
      style += (style.empty() ? "" : ", ") + std::string("style=dashed");
    text += "  " + dot_quoted(edge.from) + " -> " + dot_quoted(edge.to) +
            (style.empty() ? "" : " [" + style + "]") + ";\n";
  }
  return text + "}\n";
}

std::string dot_text(const Pipeline& pipeline) {
  const Pipeline* const only[] = {&pipeline};
  return merged_dot_text(only);
}

std::string svg_text(const Pipeline& pipeline) { return svg_of_dot(dot_text(pipeline)); }

std::string merged_svg_text(std::span<const Pipeline* const> variants) {
  return svg_of_dot(merged_dot_text(variants));
}

}  // namespace semblance
