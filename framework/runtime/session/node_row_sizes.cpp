// SPDX-License-Identifier: MIT
#include "runtime/session/node_row_sizes.hpp"

#include "semblance/error.hpp"

namespace semblance {

RowSizes made_sizes(const Node& node, const RowSizes& from, std::size_t rows) {
  const std::size_t cols = node.facts().output.size();
  if (!node.facts().output.ragged()) return {cols, nullptr};
  const auto& transform = node.as<Transform>();
  std::vector<std::size_t> offsets(1, 0);
  offsets.reserve(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t size = transform.values_of(from.values(i, 1));
    if (size > cols)
      throw Error("it makes " + std::to_string(size) + " values of a row of " +
                  std::to_string(from.values(i, 1)) + ", more than a " +
                  describe(node.facts().output) + " has");
    offsets.push_back(offsets.back() + size);
  }
  const bool sparse = node.facts().output.kind == LayoutKind::sparse;
  if (from.offsets && offsets == *from.offsets) return {cols, from.offsets, sparse};
  return {cols, std::make_shared<const std::vector<std::size_t>>(std::move(offsets)), sparse};
}

RowSizes row_sizes(Session& session, std::size_t i) {
  const NodeFacts& node = session.facts(i);
  if (!node.output.ragged()) return {node.output.size(), nullptr};
  if (session.run(i).has_rows()) return session.run(i).rows->sizes();
  if (const RowOffsets known = session.run(i).offsets.load())
    return {node.output.size(), known, node.output.kind == LayoutKind::sparse};
  const Dataset& data = session.dataset(i);
  const RowSizes from = node.is_source() ? RowSizes() : row_sizes(session, node.inputs.front());
  RowSizes sizes;
  session.guard(i, "computing rows", [&] {
    sizes = node.is_source() ? sizes_of_source(data, node.output)
                             : made_sizes(node, from, data.outline().rows());
  });
  session.run(i).offsets.store(sizes.offsets);
  return sizes;
}

RowSizes joined_sizes(Session& session, const NodeFacts& node, RowSpan span) {
  if (node.inputs.size() == 1)
    return row_sizes(session, node.inputs.front()).of_rows(span.first, span.count);
  return {joined_width(node, session.graph()), nullptr};
}

}  // namespace semblance
