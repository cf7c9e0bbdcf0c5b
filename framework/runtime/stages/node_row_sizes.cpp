// SPDX-License-Identifier: MIT
#include "runtime/stages/node_row_sizes.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/stages/pulled_rows.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

/// Counts the values of a node's rows by computing those of its input, block by block.
std::vector<std::size_t> counted(const Transform& node, const RowSizes& from, std::size_t rows,
                                 const InputRows& compute, Context& context) {
  std::vector<std::size_t> sizes(rows);
  context.parallel_for(block_count(rows), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, rows - first);
    FloatMatrix in = from.rows(first, count);
    compute(first, in.view());
    node.count_values(std::as_const(in).view(), std::span(sizes).subspan(first, count), context);
  });
  return sizes;
}

}  // namespace

bool sized_by_content(const Node& node) {
  const auto* const transform = dynamic_cast<const Transform*>(node.parts.front().get());
  return transform && transform->sized_by_content();
}

RowSizes made_sizes(const Node& node, const RowSizes& from, std::size_t rows,
                    const InputRows& compute, Context& context) {
  const std::size_t cols = node.facts().output.size();
  if (!node.facts().output.ragged()) return {cols, nullptr};
  const auto& transform = node.as<Transform>();
  std::vector<std::size_t> sizes;
  if (transform.sized_by_content()) sizes = counted(transform, from, rows, compute, context);
  std::vector<std::size_t> offsets(1, 0);
  offsets.reserve(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t values = from.values(i, 1);
    const std::size_t size = sizes.empty() ? transform.values_of(values) : sizes[i];
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
    if (node.is_source()) {
      sizes = sizes_of_source(dataset, node.output);
      return;
    }
    NodeContext context = progress.context(i);
    const std::size_t input = node.inputs.front();
    std::optional<Pull> pull;
    if (sized_by_content(progress.node(i))) pull.emplace(progress, data, input);
    sizes = made_sizes(
        progress.node(i), from, dataset.outline().rows(),
        [&](std::size_t first, MutableMatrixView out) { pull->rows(first, out); }, context);
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
