// SPDX-License-Identifier: MIT
#include "graphs/graph_set.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::sources {
namespace {

using Ends = std::pair<std::uint32_t, std::uint32_t>;

Ends ends_of(const GraphEdge& edge) { return {edge.from, edge.to}; }

}  // namespace

void GraphLabels::know(const std::vector<std::string>& names) {
  for (const std::string& name : names) names_.add(name);
}

std::vector<std::int32_t> GraphLabels::sort(const std::vector<bool>& learned,
                                            std::vector<std::string>& names) const {
  ClassNames known;
  std::vector<std::int32_t> numbers(size(), no_label);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (learned[i]) numbers[i] = known.add(names_.names()[i]);
  known.sort(numbers);
  names = known.names();
  auto next = static_cast<std::int32_t>(names.size());
  for (std::int32_t& number : numbers)
    if (number == no_label) number = next++;
  return numbers;
}

double bytes_of(const SampleGraph& graph) noexcept {
  constexpr std::size_t per_vector = 16;  // that the system's memory takes for itself
  return static_cast<double>(
      sizeof graph + 4 * per_vector + graph.node_labels.capacity() * sizeof(std::uint32_t) +
      graph.edges.capacity() * sizeof(GraphEdge) +
      (graph.node_attributes.capacity() + graph.edge_attributes.capacity()) * sizeof(float));
}

double GraphSet::bytes() const noexcept {
  double sum = 0;
  for (const SampleGraph& graph : graphs) sum += bytes_of(graph);
  return sum;
}

std::string describe(const GraphParts& parts) {
  std::vector<std::string> all;
  if (parts.node_labels) all.emplace_back("node labels");
  if (parts.edge_labels) all.emplace_back("edge labels");
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) all.push_back(std::to_string(count) + what + (count == 1 ? "" : "s"));
  };
  add(parts.node_attributes, " node attribute");
  add(parts.edge_attributes, " edge attribute");
  if (all.empty()) return "neither labels nor attributes";
  std::string text = all.front();
  for (std::size_t k = 1; k < all.size(); ++k)
    text += (k + 1 == all.size() ? " and " : ", ") + all[k];
  return text;
}

GraphShape GraphSet::learn(std::span<const std::size_t> training) {
  GraphShape shape{.directed = directed,
                   .node_attributes = parts->node_attributes,
                   .edge_attributes = parts->edge_attributes};
  std::vector<bool> of_nodes(node_labels.size()), of_edges(edge_labels.size());
  for (const SampleGraph& graph : graphs) {
    shape.nodes = std::max(shape.nodes, graph.nodes);
    shape.edges = std::max(shape.edges, graph.edges.size());
  }
  for (const std::size_t g : training) {
    const SampleGraph& graph = graphs[g];
    for (const std::uint32_t label : graph.node_labels) of_nodes[label] = true;
    if (edge_labels.size() == 0) continue;
    for (const GraphEdge& edge : graph.edges) of_edges[edge.label] = true;
  }
  const auto node_numbers = node_labels.sort(of_nodes, shape.node_labels);
  const auto edge_numbers = edge_labels.sort(of_edges, shape.edge_labels);
  for (SampleGraph& graph : graphs) {
    for (std::uint32_t& label : graph.node_labels)
      label = static_cast<std::uint32_t>(node_numbers[label]);
    if (edge_numbers.empty()) continue;
    for (GraphEdge& edge : graph.edges)
      edge.label = static_cast<std::uint32_t>(edge_numbers[edge.label]);
  }
  return shape;
}

GraphSet GraphSet::known_by(const Layout& layout) {
  const GraphShape& shape = layout.shape;
  GraphSet set;
  set.parts = {!shape.node_labels.empty(), !shape.edge_labels.empty(), shape.node_attributes,
               shape.edge_attributes};
  set.directed = shape.directed;
  set.node_labels.know(shape.node_labels);
  set.edge_labels.know(shape.edge_labels);
  return set;
}

SpillingRows GraphSet::written(const GraphShape& shape, Context& context) {
  SpillingRows rows;
  const auto left = static_cast<double>(context.memory_budget()) - bytes();
  rows.values.spill(static_cast<std::size_t>(std::max(left, 0.0) / 2), context);
  std::vector<float> row;
  for (SampleGraph& graph : graphs) {
    context.check_stop();
    row.clear();
    graph.write(shape, row);
    for (const float value : row) rows.values.push_back(value);
    rows.end_row();
    graph = {};
  }
  return rows;
}

ListedEdges::ListedEdges(const SampleGraph& graph, std::size_t attributes, const Fail& fail)
    : graph_(graph), attributes_(attributes), reverse_(graph.edges.size(), no_edge) {
  std::vector<std::size_t> order(graph.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto ends = [&](std::size_t e) { return ends_of(graph.edges[e]); };
  std::ranges::stable_sort(order, {}, ends);
  const auto twice = std::ranges::adjacent_find(order, {}, ends);
  if (twice != order.end()) fail(twice[1], "is listed twice; remove one of the two");
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    const auto [from, to] = ends(e);
    const auto found = std::ranges::lower_bound(order, Ends{to, from}, {}, ends);
    if (found != order.end() && ends(*found) == Ends{to, from}) reverse_[e] = *found;
  }
}

bool ListedEdges::same_label(std::size_t edge) const {
  return graph_.edges[edge].label == graph_.edges[reverse_[edge]].label;
}

bool ListedEdges::same_attributes(std::size_t edge) const {
  const auto attribute = [&](std::size_t e) {
    return graph_.edge_attributes.begin() + static_cast<std::ptrdiff_t>(e * attributes_);
  };
  return std::equal(attribute(edge), attribute(edge) + static_cast<std::ptrdiff_t>(attributes_),
                    attribute(reverse_[edge]));
}

ListedEdges::Directions ListedEdges::directions() const {
  Directions count;
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    if (reverse_[e] == no_edge) continue;
    ++(!same_label(e)       ? count.other_label
       : same_attributes(e) ? count.same
                            : count.other_attributes);
  }
  return count;
}

SampleGraph ListedEdges::joined(const std::string& remedy, const Fail& fail) const {
  SampleGraph once{graph_.nodes, graph_.node_labels, {}, graph_.node_attributes, {}};
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    const std::size_t other = reverse_[e];
    if (other != no_edge && !(same_label(e) && same_attributes(e)))
      fail(std::max(e, other), std::string("has ") +
                                   (same_label(e) ? "other attributes" : "another label") +
                                   " than in the opposite direction; " + remedy);
    if (other < e) continue;
    once.edges.push_back(graph_.edges[e]);
    for (std::size_t k = 0; k < attributes_; ++k)
      once.edge_attributes.push_back(graph_.edge_attributes[e * attributes_ + k]);
  }
  return once;
}

std::unique_ptr<Dataset> GraphSource::open(Context& context) const {
  GraphSet set;
  if (model()) set = GraphSet::known_by(model()->layout);
  std::size_t numbered_rows = 0;
  const std::size_t first = read_files(train_file(), test_file(), set,
                                       [&](const std::string& file, const FactRules& rules) {
                                         const bool second = !set.graphs.empty();
                                         read(file, rules, set, context);
                                         if (!second) numbered_rows = set.read;
                                       });
  if (const std::size_t dropped = set.read - set.graphs.size(); dropped > 0)
    context.log(LogLevel::warning,
                train_file() + ": dropped by 'empty: drop': " + std::to_string(dropped) + " of " +
                    std::to_string(set.read) + " graphs, which have no node");
  else
    set.numbers.clear();  // they are their positions
  check_facts(set, context);
  if (!model()) {
    const auto name = [](const char* of) {
      return [of](std::size_t k) { return of + std::to_string(k + 1); };
    };
    set.node_precision.check(train_file(), name("node attribute "), context);
    set.edge_precision.check(train_file(), name("edge attribute "), context);
  }
  Split parts = finish_facts(set, first, context, numbered_rows);
  const Layout layout = model() ? model()->layout : Layout::graph(set.learn(parts.learned_rows()));
  auto rows = ragged(set.written(layout.shape, context));
  return make_dataset(layout, set.classes.names(), set.answers(), std::move(parts),
                      std::move(rows));
}

}  // namespace semblance::sources
