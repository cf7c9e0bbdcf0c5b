// SPDX-License-Identifier: MIT
#include <cmath>

#include "runtime/graph/compilation.hpp"
#include "runtime/graph/node.hpp"

namespace semblance {

std::size_t expected_values(const NodeFacts& node, std::size_t rows) {
  const std::size_t most = rows * node.output.size();
  if (node.row_values > 0) return rows * node.row_values;
  const Outline& outline = *node.outline;
  if (!node.output.ragged() || outline.values == 0) return most;
  const double filled = static_cast<double>(outline.values) /
                        static_cast<double>(outline.rows() * outline.layout.size());
  return static_cast<std::size_t>(std::ceil(static_cast<double>(most) * filled));
}

std::size_t expected_row_bytes(const NodeFacts& node, std::size_t rows) {
  const bool sparse = node.output.kind == LayoutKind::sparse;
  return expected_values(node, rows) * (sizeof(float) + (sparse ? sizeof(std::uint32_t) : 0));
}

std::size_t expected_bytes(const NodeFacts& source, std::size_t rows) {
  if (source.held_bytes) return *source.held_bytes;
  return source.outline->rows_in_place > 0 ? 0 : expected_values(source, rows);
}

bool lie_in_place(const NodeFacts& node, RowSpan rows) {
  return node.is_source() && rows.count > 0 && rows.end() <= node.outline->rows_in_place;
}

Layout joined_layout(const NodeFacts& node, const Compilation& graph) {
  if (node.inputs.size() == 1) return graph.facts(node.inputs[0]).output;
  return Layout::vector(joined_width(node, graph));
}

std::size_t joined_width(const NodeFacts& node, const Compilation& graph) {
  std::size_t width = 0;
  for (const std::size_t input : node.inputs) width += graph.facts(input).output.size();
  return width;
}

std::vector<std::size_t> feeding(const NodeFacts& node) {
  std::vector<std::size_t> all = node.inputs;
  if (node.bases) all.push_back(*node.bases);
  if (node.pairs) all.push_back(*node.pairs);
  all.insert(all.end(), node.held_out.begin(), node.held_out.end());
  return all;
}

}  // namespace semblance
