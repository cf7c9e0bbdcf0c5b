// SPDX-License-Identifier: MIT
#include "runtime/graph/node.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/graph/compilation.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance {

Node::~Node() = default;

LearnsWhere Node::learns_where() const {
  const bool can = spec->info().distributed &&
                   std::ranges::all_of(parts, [](const auto& part) { return part->distributes(); });
  return can ? LearnsWhere::everywhere : LearnsWhere::first_rank;
}

std::size_t Node::rehearse(Session&, const std::vector<MatrixView>&) {
  if (has_state()) throw Error("it needs more than a few rows to learn from");
  return output.size();
}

void Node::save(const std::filesystem::path& folder) const {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    StateFolderWriter writer(part_folder(folder, p));
    as<Transform>(p).save(writer);
    writer.finish();
  }
}

StateFolderReader::Values Node::values_learned() const {
  constexpr std::array<std::string_view, 3> numbers = {"normalizer", "solver", "calibrator"};
  return std::ranges::find(numbers, spec->info().kind()) != numbers.end()
             ? StateFolderReader::Values::finite
             : StateFolderReader::Values::any;
}

std::filesystem::path part_folder(const std::filesystem::path& folder, std::size_t part) {
  return folder / ("part_" + std::to_string(part));
}

std::size_t expected_values(const Node& node, std::size_t rows) {
  const std::size_t most = rows * node.output.size();
  const Outline& outline = *node.outline;
  if (!node.output.ragged() || outline.values == 0) return most;
  const double filled = static_cast<double>(outline.values) /
                        static_cast<double>(outline.rows() * outline.layout.size());
  return static_cast<std::size_t>(std::ceil(static_cast<double>(most) * filled));
}

std::size_t expected_row_bytes(const Node& node, std::size_t rows) {
  const bool sparse = node.output.kind == LayoutKind::sparse;
  return expected_values(node, rows) * (sizeof(float) + (sparse ? sizeof(std::uint32_t) : 0));
}

std::size_t expected_bytes(const Node& source, std::size_t rows) {
  if (source.held_bytes) return *source.held_bytes;
  return source.outline->rows_in_place > 0 ? 0 : expected_values(source, rows);
}

bool lie_in_place(const Node& node, RowSpan rows) {
  return node.is_source() && rows.count > 0 && rows.end() <= node.outline->rows_in_place;
}

Layout joined_layout(const Node& node, const Compilation& graph) {
  if (node.inputs.size() == 1) return graph.nodes[node.inputs[0]]->output;
  return Layout::vector(joined_width(node, graph));
}

std::size_t joined_width(const Node& node, const Compilation& graph) {
  std::size_t width = 0;
  for (const std::size_t input : node.inputs) width += graph.nodes[input]->output.size();
  return width;
}

std::vector<std::size_t> feeding(const Node& node) {
  std::vector<std::size_t> all = node.inputs;
  if (node.bases) all.push_back(*node.bases);
  if (node.pairs) all.push_back(*node.pairs);
  all.insert(all.end(), node.held_out.begin(), node.held_out.end());
  return all;
}

}  // namespace semblance
