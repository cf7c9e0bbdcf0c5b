// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "generated/drawn_source.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_dataset.hpp"
#include "semblance/graph.hpp"

namespace semblance::sources {
namespace {

/// No node has more edges, as in molecules.
constexpr std::size_t most_degree = 4;

/// What distinguishes a class: the chances of a node's label given that of the node it hangs on,
/// and the size of its rings.
struct GraphClass {
  std::vector<double> sums;  ///< of the chances of labels 0..k, after each label
  std::size_t ring = 0;      ///< nodes of a ring

  GraphClass(std::size_t labels, double contrast, std::size_t ring_size, Random& random)
      : ring(ring_size) {
    for (std::size_t before = 0; before < labels; ++before) {
      double sum = 0;
      for (std::size_t k = 0; k < labels; ++k)
        sums.push_back(sum += std::exp(contrast * random.normal()));
    }
  }
  std::uint32_t label_after(std::uint32_t before, std::size_t labels, Random& random) const {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(before * labels);
    const double at = random.uniform() * first[static_cast<std::ptrdiff_t>(labels) - 1];
    const auto end = first + static_cast<std::ptrdiff_t>(labels) - 1;
    return static_cast<std::uint32_t>(std::upper_bound(first, end, at) - first);
  }
};

/// A tree that grows at its last nodes, with rings along its branches.
class GrowingGraph {
 public:
  GrowingGraph(const GraphShape& shape, const GraphClass& of, Random& random)
      : shape_(shape), of_(of), random_(random) {}

  SampleGraph grown(std::size_t nodes, std::size_t rings) {
    for (std::uint32_t v = 0; v < nodes; ++v) add_node(v);
    for (std::size_t ring = 0; ring < rings && nodes >= of_.ring; ++ring)
      close_ring(static_cast<std::uint32_t>(random_.below(nodes)));
    return std::move(graph_);
  }

 private:
  void add_node(std::uint32_t v) {
    constexpr std::uint32_t last = 3;
    const std::size_t labels = shape_.node_labels.size();
    std::uint32_t parent = v;
    while (v > 0 && (parent == v || degrees_[parent] == most_degree))
      parent = v - 1 - static_cast<std::uint32_t>(random_.below(std::min(v, last)));
    const std::uint32_t before =
        v == 0 ? static_cast<std::uint32_t>(random_.below(labels)) : graph_.node_labels[parent];
    graph_.node_labels.push_back(of_.label_after(before, labels, random_));
    ++graph_.nodes;
    parents_.push_back(parent);
    degrees_.push_back(0);
    if (v > 0) join(parent, v);
  }

  /// Joins a node with the ancestor that makes a ring of the wanted size, if both have a free edge.
  void close_ring(std::uint32_t v) {
    std::uint32_t ancestor = v;
    for (std::size_t step = 1; step < of_.ring; ++step) ancestor = parents_[ancestor];
    const auto joins = [&](const GraphEdge& e) { return e.from == ancestor && e.to == v; };
    if (ancestor == 0 || degrees_[v] == most_degree || degrees_[ancestor] == most_degree) return;
    if (std::ranges::none_of(graph_.edges, joins)) join(ancestor, v);
  }

  void join(std::uint32_t from, std::uint32_t to) {
    ++degrees_[from];
    ++degrees_[to];
    graph_.edges.push_back(
        {from, to, static_cast<std::uint32_t>(random_.below(shape_.edge_labels.size()))});
  }

  const GraphShape& shape_;
  const GraphClass& of_;
  Random& random_;
  SampleGraph graph_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::size_t> degrees_;
};

std::vector<std::string> letters(std::size_t count, char first) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) names.emplace_back(1, static_cast<char>(first + k));
  return names;
}

/// Graphs like molecules, of classes that differ in neighbouring labels and in rings.
class RandomGraphs final : public DrawnSource {
 public:
  RandomGraphs() : DrawnSource(50, 50, {"per_class", "test_per_class", "graphs"}) {}

  static Declaration<RandomGraphs> declare() {
    Declaration<RandomGraphs> declaration("source/random_graphs",
                                          "Generated graphs like molecules: trees with rings");
    declaration.parameter("classes", &RandomGraphs::classes_, "number of classes", at_least(2),
                          at_most(1e5));
    declare_sizes(declaration, "graphs of each class", 1e6);
    declaration
        .parameter("fewest", &RandomGraphs::fewest_, "nodes of the smallest graph", at_least(1),
                   at_most(1e6), unit("nodes"))
        .parameter("most", &RandomGraphs::most_, "nodes of the largest graph", at_least(1),
                   at_most(1e6), unit("nodes"))
        .parameter("labels", &RandomGraphs::labels_, "labels of nodes: A, B and so on", at_least(1),
                   at_most(26))
        .parameter("edge_labels", &RandomGraphs::edge_labels_, "labels of edges: a, b and so on",
                   at_least(1), at_most(26))
        .parameter("rings", &RandomGraphs::rings_, "most rings of a graph", at_least(0),
                   at_most(1e6))
        .parameter("contrast", &RandomGraphs::contrast_,
                   "how much classes differ in which labels are neighbours; 0: not at all",
                   at_least(0), at_most(10));
    return declaration.gives(LayoutKind::graph)
        .random()
        .documentation(
            "A graph is a tree that grows at one of its last three nodes and whose nodes have at "
            "most 4 edges, with up to `rings` edges more that close rings. Classes differ in which "
            "labels are neighbours: the chance of a node's label, given that of the node it hangs "
            "on, is proportional to exp(contrast x z), z standard normal, drawn for each pair of "
            "labels. They also differ in the size of rings: 5, 6 or 7 nodes. Numbers of nodes are "
            "uniform, and so are the labels of edges. Classes alternate row by row. A graph "
            "depends only on the seed and its number.")
        .complexity("memory: 4 bytes per node, 12 per edge")
        .example(R"(
        graphs: {is: source/random_graphs}
        wl:     {is: normalizer/weisfeiler_lehman, from: graphs}
        svm:    {is: solver/linear_svm, from: wl}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (fewest_ > most_)
      throw Error("'fewest: " + std::to_string(fewest_) +
                  "' is more than 'most: " + std::to_string(most_) + "'; lower it or raise 'most'");
    DrawnSource::check_parameters();
  }

  Outline outline(Context& context) const override { return open(context)->outline(); }

  /// How large a graph is shows only once it is drawn.
  std::unique_ptr<Dataset> open(Context& context) const override {
    const auto count = static_cast<std::size_t>(classes_);
    const std::size_t train_rows = count * static_cast<std::size_t>(train_);
    const std::size_t test_rows = count * static_cast<std::size_t>(test_);
    const auto most = static_cast<std::size_t>(most_), rings = static_cast<std::size_t>(rings_);
    const Layout layout =
        Layout::graph({.nodes = most,
                       .edges = most - 1 + rings,
                       .node_labels = letters(static_cast<std::size_t>(labels_), 'A'),
                       .edge_labels = letters(static_cast<std::size_t>(edge_labels_), 'a')});
    check_fits(double(train_rows + test_rows) * double(layout.size()) * sizeof(float),
               std::to_string(train_rows + test_rows) + " graphs", "generated", "", context);
    Random random = context.random();
    const RowSeeds seeds(random);
    std::vector<GraphClass> classes;
    for (std::size_t k = 0; k < count; ++k)
      classes.emplace_back(layout.shape.node_labels.size(), contrast_, 5 + k % 3, random);
    RaggedRows<float> rows;
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row < train_rows + test_rows; ++row) {
      if (row % 1024 == 0) context.check_stop();
      const std::size_t place = row < train_rows ? row : row - train_rows;
      Random own = Random::stream(row < train_rows ? seeds.train : seeds.test, place);
      const auto fewest = static_cast<std::size_t>(fewest_);
      const std::size_t nodes = fewest + own.below(most - fewest + 1);
      const std::size_t label = place % count;
      GrowingGraph(layout.shape, classes[label], own)
          .grown(nodes, rings)
          .write(layout.shape, rows.values);
      rows.end_row();
      labels.push_back(static_cast<std::int32_t>(label));
    }
    return make_dataset(layout, numbered_classes(classes_), {std::move(labels)},
                        Split{train_rows, test_rows, {}, 0}, ragged(std::move(rows)));
  }

 private:
  std::int64_t classes_ = 2;
  std::int64_t fewest_ = 10;
  std::int64_t most_ = 30;
  std::int64_t labels_ = 4;
  std::int64_t edge_labels_ = 2;
  std::int64_t rings_ = 3;
  double contrast_ = 0.3;
};

}  // namespace

ComponentEntry declare_random_graphs() { return RandomGraphs::declare().entry(); }

}  // namespace semblance::sources
