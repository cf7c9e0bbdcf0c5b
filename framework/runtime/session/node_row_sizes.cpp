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
    const std::size_t values = from.values(i, 1);
    const std::size_t size = transform.values_of(values);
    const bool longer = from.offsets && !from.sparse && values > from.cols;  // than in training
    if (size > cols && !longer)
      throw Error("it makes " + std::to_string(size) + " values of a row of " +
                  std::to_string(values) + ", more than a " + describe(node.facts().output) +
                  " has");
    offsets.push_back(offsets.back() + size);
  }
  const bool sparse = node.facts().output.kind == LayoutKind::sparse;
  if (from.offsets && offsets == *from.offsets) return {cols, from.offsets, sparse};
  return {cols, std::make_shared<const std::vector<std::size_t>>(std::move(offsets)), sparse};
}

RowSizes row_sizes(RunProgress& progress, RunData& data, std::size_t i) {
  const NodeFacts& node = progress.facts(i);
  if (!node.output.ragged()) return {node.output.size(), nullptr};
  if (progress.run(i).has_rows()) return progress.run(i).rows->sizes();
  if (const RowOffsets known = progress.run(i).offsets.load())
    return {node.output.size(), known, node.output.kind == LayoutKind::sparse};
  const Dataset& dataset = data.dataset(i);
  const RowSizes from =
      node.is_source() ? RowSizes() : row_sizes(progress, data, node.inputs.front());
  RowSizes sizes;
  data.guard(i, "computing rows", [&] {
    sizes = node.is_source() ? sizes_of_source(dataset, node.output)
                             : made_sizes(progress.node(i), from, dataset.outline().rows());
  });
  progress.run(i).offsets.store(sizes.offsets);
  return sizes;
}

RowSizes joined_sizes(RunProgress& progress, RunData& data, const NodeFacts& node, RowSpan span) {
  if (node.inputs.size() == 1)
    return row_sizes(progress, data, node.inputs.front()).of_rows(span.first, span.count);
  return {joined_width(node, progress.graph()), nullptr};
}

}  // namespace semblance
