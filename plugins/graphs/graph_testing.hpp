// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "semblance/graph.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/unknown_rows_testing.hpp"

/// Helpers for tests of graphs.
namespace semblance::testing {

/// Graphs as rows of a layout.
inline FloatMatrix rows_of(const std::vector<SampleGraph>& graphs, const Layout& layout) {
  std::vector<float> values;
  std::vector<std::size_t> sizes;
  for (const SampleGraph& graph : graphs) {
    const std::size_t before = values.size();
    graph.write(layout.shape, values);
    sizes.push_back(values.size() - before);
  }
  FloatMatrix rows = room_for(layout, sizes);
  rows.values = std::move(values);
  return rows;
}

/// A graph whose pairs of nodes are joined with probability 1/3, also with themselves; labels are
/// drawn if the shape has some.
inline SampleGraph drawn_graph(std::size_t nodes, const GraphShape& shape, Random& random) {
  SampleGraph graph{.nodes = nodes};
  const auto label = [&](const std::vector<std::string>& names) {
    return names.empty() ? 0 : static_cast<std::uint32_t>(random.below(names.size()));
  };
  for (std::size_t v = 0; v < nodes && !shape.node_labels.empty(); ++v)
    graph.node_labels.push_back(label(shape.node_labels));
  for (std::uint32_t u = 0; u < nodes; ++u)
    for (std::uint32_t v = shape.directed ? 0 : u; v < nodes; ++v)
      if (random.below(3) == 0) graph.edges.push_back({u, v, label(shape.edge_labels)});
  return graph;
}

inline std::vector<SampleGraph> drawn_graphs(std::size_t count, const GraphShape& shape) {
  Random random(5);
  std::vector<SampleGraph> graphs;
  for (std::size_t i = 0; i < count; ++i)
    graphs.push_back(drawn_graph(1 + random.below(7), shape, random));
  return graphs;
}

/// The sparse rows that a bound and learned transform makes.
inline FloatMatrix sparse_rows(const Transform& transform, const Layout& output,
                               const FloatMatrix& in) {
  TestContext context;
  std::vector<std::size_t> sizes(in.rows);
  transform.count_values(in.view(), sizes, context);
  FloatMatrix out = room_for(output, sizes);
  transform.apply(in.view(), out.view(), context);
  return out;
}

/// The rows that such a transform notes as unknown.
inline std::vector<std::size_t> unknown_rows(const Transform& transform, const Layout& output,
                                             const FloatMatrix& in) {
  FloatMatrix out = sparse_rows(transform, output, in);
  NotingContext context;
  transform.apply(in.view(), out.view(), context);
  return context.rows;
}

/// The inner product of two sparse rows; with `least`, the sum of the smaller values.
inline double product(MatrixView a, std::size_t i, MatrixView b, std::size_t j,
                      bool least = false) {
  std::map<std::uint32_t, double> of_a;
  for (std::size_t k = 0; k < a.size(i); ++k) of_a[a.columns_of(i)[k]] = a.row(i)[k];
  double sum = 0;
  for (std::size_t k = 0; k < b.size(j); ++k) {
    const auto found = of_a.find(b.columns_of(j)[k]);
    const double x = found == of_a.end() ? 0 : found->second, y = b.row(j)[k];
    sum += least ? std::min(x, y) : x * y;
  }
  return sum;
}

inline void fit(Normalizer& normalizer, const FloatMatrix& rows, const Layout& layout,
                std::size_t threads = 2) {
  TestContext context(threads);
  const MemoryRows memory(rows);
  const std::vector<std::int32_t> labels(rows.rows, 0);
  const std::vector<std::string> classes = {"a"};
  normalizer.fit({memory, layout, labels, classes}, context);
}

}  // namespace semblance::testing
