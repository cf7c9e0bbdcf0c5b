// SPDX-License-Identifier: MIT
#include "semblance/layout.hpp"

#include <utility>

#include "semblance/two_parts.hpp"

namespace semblance {
namespace {

const LayoutInfo& info_of(LayoutKind kind) { return layouts().at(static_cast<std::size_t>(kind)); }

std::string counted(std::size_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string cells(const Layout& layout, const char* names) {
  return std::to_string(layout.height) + "x" + std::to_string(layout.width) + "x" +
         std::to_string(layout.depth) + " (" + names + ")";
}

std::string of_vector(const Layout& layout) { return std::to_string(layout.depth); }
std::string of_image(const Layout& layout) { return cells(layout, "height x width x channels"); }
std::string of_grid(const Layout& layout) {
  return cells(layout, "rows x columns x values per cell");
}
std::string of_sequence(const Layout& layout) {
  return "up to " + counted(layout.width, "step") + " of " + counted(layout.depth, "channel");
}
std::string of_string(const Layout& layout) {
  return "up to " + counted(layout.width, "symbol") + " out of " +
         std::to_string(symbols_of(layout).size());
}
std::string of_set(const Layout& layout) {
  return "up to " + counted(layout.width, "point") + " of " + counted(layout.depth, "coordinate");
}
std::string of_sparse(const Layout& layout) { return std::to_string(layout.width); }

/// "up to 28 nodes and 33 edges, with 7 node labels and 4 edge labels"
std::string of_graph(const Layout& layout) {
  const GraphShape& shape = layout.shape;
  std::vector<std::string> has;
  if (!shape.node_labels.empty()) has.push_back(counted(shape.node_labels.size(), "node label"));
  if (!shape.edge_labels.empty()) has.push_back(counted(shape.edge_labels.size(), "edge label"));
  if (shape.node_attributes > 0) has.push_back(counted(shape.node_attributes, "node attribute"));
  if (shape.edge_attributes > 0) has.push_back(counted(shape.edge_attributes, "edge attribute"));
  std::string text = "up to " + counted(shape.nodes, "node") + " and " +
                     counted(shape.edges, shape.directed ? "directed edge" : "edge");
  for (std::size_t k = 0; k < has.size(); ++k)
    text += (k == 0 ? ", with " : k + 1 == has.size() ? " and " : ", ") + has[k];
  return text;
}

/// "a vector of 24 and a sparse vector of 40"
std::string of_pair(const Layout& layout) {
  std::string text;
  for (const Layout& part : layout.parts)
    text += (text.empty() ? "" : " and ") + std::string(info_of(part.kind).article) + " " +
            describe(part);
  return text;
}

Layout example_graph() {
  return Layout::graph({.nodes = 8,
                        .edges = 16,
                        .node_attributes = 1,
                        .node_labels = {"a", "b", "c"},
                        .edge_labels = {"1", "2"}});
}

}  // namespace

Layout Layout::graph(GraphShape shape) {
  const std::size_t of_node = (shape.node_labels.empty() ? 0 : 1) + shape.node_attributes;
  const std::size_t of_edge = 2 + (shape.edge_labels.empty() ? 0 : 1) + shape.edge_attributes;
  Layout layout{LayoutKind::graph, 1, 2 + shape.nodes * of_node + shape.edges * of_edge, 1};
  layout.shape = std::move(shape);
  return layout;
}

Layout Layout::pair(Layout first, Layout second) {
  Layout layout{LayoutKind::pair, 1, 1, 1};
  layout.parts = {std::move(first), std::move(second)};
  layout.width = pair_size(layout, layout.parts[0].size(), layout.parts[1].size());
  return layout;
}

const std::vector<LayoutInfo>& layouts() {
  static const std::vector<LayoutInfo> all = {
      {LayoutKind::vector, "vector", "a", of_vector, Layout::vector(24)},
      {LayoutKind::image, "image", "an", of_image, Layout::image(12, 12, 1)},
      {LayoutKind::grid, "grid", "a", of_grid, Layout::grid(6, 6, 4)},
      {LayoutKind::sequence, "sequence", "a", of_sequence, Layout::sequence(40, 1)},
      {LayoutKind::string, "string", "a", of_string, Layout::string(20, "ACGT")},
      {LayoutKind::set, "set", "a", of_set, Layout::set(8, 2)},
      {LayoutKind::sparse, "sparse vector", "a", of_sparse, Layout::sparse(40)},
      {LayoutKind::graph, "graph", "a", of_graph, example_graph()},
      {LayoutKind::pair, "pair", "a", of_pair,
       Layout::pair(Layout::vector(6), Layout::sparse(10))}};
  return all;
}

const char* name(LayoutKind kind) noexcept { return info_of(kind).name; }

std::string describe(const Layout& layout) {
  const LayoutInfo& info = info_of(layout.kind);
  return std::string(info.name) + " of " + info.extents(layout);
}

std::vector<std::string> symbols_of(const Layout& layout) {
  std::vector<std::string> symbols;
  for (const char byte : layout.alphabet) {
    // Bytes of the form 10xxxxxx continue a UTF-8 symbol.
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U || symbols.empty())
      symbols.emplace_back();
    symbols.back() += byte;
  }
  return symbols;
}

}  // namespace semblance
