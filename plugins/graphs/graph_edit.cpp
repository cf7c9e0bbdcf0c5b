// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "graph_counts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance::graphs {
namespace {

/// What it costs to edit a graph. Deleting something costs as much as inserting it.
struct GraphEditCosts {
  double node = 1;        ///< of a node that only one of two graphs has
  double node_label = 1;  ///< of a node in place of one with another label
  double attributes = 0;  ///< of a node in place of another, per Euclidean distance of attributes
  double edge = 1;        ///< of an edge that only one of two graphs has
  double edge_label = 1;  ///< of an edge in place of one with another label
};

using Labels = std::span<const std::uint32_t>;

/// A graph prepared for comparisons. The row that holds it must outlive it.
class EditableGraph {
 public:
  EditableGraph(std::span<const float> of_row, const GraphView& view, bool is_directed)
      : row(of_row), graph(view), directed(is_directed) {
    const std::size_t nodes = graph.nodes();
    edges.reserve(graph.edges());
    offsets_.assign(3 * nodes + 1, 0);
    const auto visit = [&](const auto& add) {
      for (const GraphEdge& edge : edges)
        if (edge.from == edge.to) {
          add(3 * std::size_t{edge.from} + 2, edge.label);
        } else {
          add(3 * std::size_t{edge.from}, edge.label);
          add(3 * std::size_t{edge.to} + (directed ? 1 : 0), edge.label);
        }
    };
    for (std::size_t e = 0; e < graph.edges(); ++e) {
      GraphEdge edge = graph.edge(e);
      if (!directed && edge.from > edge.to) std::swap(edge.from, edge.to);
      edges.push_back(edge);
    }
    visit([&](std::size_t place, std::uint32_t) { ++offsets_[place + 1]; });
    for (std::size_t place = 0; place < 3 * nodes; ++place) offsets_[place + 1] += offsets_[place];
    labels_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    visit([&](std::size_t place, std::uint32_t label) { labels_[next[place]++] = label; });
    for (std::size_t place = 0; place < 3 * nodes; ++place)
      std::sort(labels_.begin() + static_cast<std::ptrdiff_t>(offsets_[place]),
                labels_.begin() + static_cast<std::ptrdiff_t>(offsets_[place + 1]));
    sort_into_kinds();
  }

  /// The labels of edges at a node, ascending.
  struct Star {
    Labels out, in, loops;  ///< undirected edges are all in `out`
  };

  Star star(std::size_t v) const noexcept {
    const auto part = [&](std::size_t place) {
      return Labels(labels_).subspan(offsets_[place], offsets_[place + 1] - offsets_[place]);
    };
    return {part(3 * v), part(3 * v + 1), part(3 * v + 2)};
  }

  std::span<const float> row;
  GraphView graph;
  bool directed = false;
  std::vector<GraphEdge> edges;      ///< undirected ones lead from the smaller node to the larger
  std::vector<std::uint32_t> kinds;  ///< nodes with the same label and star have the same number
  std::vector<std::uint32_t> examples;  ///< a node of each kind

 private:
  void sort_into_kinds() {
    const auto compare = [&](std::uint32_t u, std::uint32_t v) {
      if (graph.node_label(u) != graph.node_label(v))
        return graph.node_label(u) <=> graph.node_label(v);
      const Star a = star(u), b = star(v);
      for (const auto part : {&Star::out, &Star::in, &Star::loops}) {
        const Labels x = a.*part, y = b.*part;
        const auto order =
            std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
        if (order != 0) return order;
      }
      return std::strong_ordering::equal;
    };
    std::vector<std::uint32_t> nodes(graph.nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    std::ranges::sort(nodes, [&](auto u, auto v) { return compare(u, v) < 0; });
    kinds.resize(nodes.size());
    for (const std::uint32_t v : nodes) {
      if (examples.empty() || compare(examples.back(), v) != 0) examples.push_back(v);
      kinds[v] = static_cast<std::uint32_t>(examples.size() - 1);
    }
  }

  std::vector<std::uint32_t> labels_;  // of each node: out, in, loops
  std::vector<std::size_t> offsets_;   // three per node, and the end
};

/// Half a gigabyte of costs for one pair.
constexpr std::size_t most_costs = std::size_t{1} << 26;

std::size_t in_both(Labels a, Labels b) {
  std::size_t both = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j])
      ++both, ++i, ++j;
    else if (a[i] < b[j])
      ++i;
    else
      ++j;
  }
  return both;
}

/// The least cost of turning edges with labels `a` into edges with labels `b`: equal ones stay, as
/// many others as possible change their labels or are deleted and inserted.
double cost_of_edges(Labels a, Labels b, const GraphEditCosts& costs) {
  const std::size_t fewer = std::min(a.size(), b.size()), more = std::max(a.size(), b.size());
  const std::size_t changed = fewer == 0 ? 0 : fewer - in_both(a, b);
  return static_cast<double>(changed) * std::min(costs.edge_label, 2 * costs.edge) +
         static_cast<double>(more - fewer) * costs.edge;
}

double cost_of_labels(const GraphView& a, std::size_t u, const GraphView& b, std::size_t v,
                      const GraphEditCosts& costs) {
  return a.node_label(u) == b.node_label(v) ? 0 : costs.node_label;
}

double cost_of_attributes(const GraphView& a, std::size_t u, const GraphView& b, std::size_t v,
                          const GraphEditCosts& costs) {
  if (costs.attributes == 0) return 0;
  const auto x = a.node_attributes(u), y = b.node_attributes(v);
  double square = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double difference = static_cast<double>(x[k]) - y[k];
    square += difference * difference;
  }
  return costs.attributes * std::sqrt(square);
}

/// An edge between two nodes counts half at each of them, a loop fully at its node.
double cost_of_star(const EditableGraph::Star& a, const EditableGraph::Star& b,
                    const GraphEditCosts& costs) {
  return (cost_of_edges(a.out, b.out, costs) + cost_of_edges(a.in, b.in, costs)) / 2 +
         cost_of_edges(a.loops, b.loops, costs);
}

/// The least cost of an assignment of `few` to `many`, which has at least as many nodes. As then
/// every deleted node can be paired with an inserted one, a pair costs no more than both, and only
/// nodes of `many` are left over.
class NodeAssignment {
 public:
  NodeAssignment(const EditableGraph& few, const EditableGraph& many, const GraphEditCosts& costs,
                 const std::function<void()>& poll)
      : few_(few), many_(many), costs_(costs) {
    const std::size_t n = few.graph.nodes(), m = many.graph.nodes();
    if (n > most_costs / m)
      throw Error("the costs of its " + std::to_string(n) + " nodes and those of a graph of " +
                  std::to_string(m) + " are " + std::to_string(n * m) + " numbers; at most " +
                  std::to_string(most_costs) + " are compared; remove the largest graphs");
    const std::vector<double> deleted = costs_alone(few), inserted = costs_alone(many);
    compare_kinds();
    std::vector<double> pairs(n * m);
    for (std::size_t u = 0; u < n; ++u) {
      poll();
      for (std::size_t v = 0; v < m; ++v)
        // Less the cost of inserting v, which all nodes pay first.
        pairs[u * m + v] = std::min(exchanged(u, v), deleted[u] + inserted[v]) - inserted[v];
    }
    partner_ = least_assignment(pairs, n, m, poll);
    std::vector<bool> taken(m);
    for (std::size_t u = 0; u < n; ++u) {
      const std::uint32_t v = partner_[u];
      taken[v] = true;
      const double both = deleted[u] + inserted[v], pair = exchanged(u, v);
      cost_ += std::min(pair, both);
      if (pair > both) partner_[u] = apart;
    }
    for (std::size_t v = 0; v < m; ++v)
      if (!taken[v]) cost_ += inserted[v];
  }

  double cost() const noexcept { return cost_; }

  /// The cost of all edits if nodes are edited as assigned.
  double cost_of_edits() const {
    double cost = 0;
    std::size_t paired = 0;
    for (std::size_t u = 0; u < few_.graph.nodes(); ++u)
      if (partner_[u] != apart) {
        cost += cost_of_labels(few_.graph, u, many_.graph, partner_[u], costs_) +
                cost_of_attributes(few_.graph, u, many_.graph, partner_[u], costs_);
        ++paired;
      }
    cost +=
        static_cast<double>(few_.graph.nodes() + many_.graph.nodes() - 2 * paired) * costs_.node;
    return cost + cost_of_all_edges();
  }

 private:
  static constexpr std::uint32_t apart = ~std::uint32_t{0};

  /// Of each node with half of its edges, without a partner.
  std::vector<double> costs_alone(const EditableGraph& graph) const {
    std::vector<double> costs(graph.graph.nodes());
    for (std::size_t v = 0; v < costs.size(); ++v)
      costs[v] = costs_.node + cost_of_star(graph.star(v), {}, costs_);
    return costs;
  }

  /// Graphs have far fewer kinds of nodes than nodes.
  void compare_kinds() {
    of_kinds_.reserve(few_.examples.size() * many_.examples.size());
    for (const std::uint32_t u : few_.examples)
      for (const std::uint32_t v : many_.examples)
        of_kinds_.push_back(cost_of_labels(few_.graph, u, many_.graph, v, costs_) +
                            cost_of_star(few_.star(u), many_.star(v), costs_));
  }

  double exchanged(std::size_t u, std::size_t v) const {
    return of_kinds_[few_.kinds[u] * many_.examples.size() + many_.kinds[v]] +
           cost_of_attributes(few_.graph, u, many_.graph, v, costs_);
  }

  double cost_of_all_edges() const {
    std::vector<GraphEdge> kept;
    double cost = 0;
    for (GraphEdge edge : few_.edges) {
      edge = {partner_[edge.from], partner_[edge.to], edge.label};
      if (edge.from == apart || edge.to == apart) {
        cost += costs_.edge;
        continue;
      }
      if (!few_.directed && edge.from > edge.to) std::swap(edge.from, edge.to);
      kept.push_back(edge);
    }
    std::vector<GraphEdge> wanted = many_.edges;
    const auto order = [](const GraphEdge& edge) {
      return std::tuple(edge.from, edge.to, edge.label);
    };
    std::ranges::sort(kept, {}, order);
    std::ranges::sort(wanted, {}, order);
    std::vector<std::uint32_t> have, want;  // labels of the edges between two nodes
    for (auto a = kept.begin(), b = wanted.begin(); a != kept.end() || b != wanted.end();) {
      const auto ends = [](const GraphEdge& edge) { return std::pair(edge.from, edge.to); };
      const auto next = a == kept.end()     ? ends(*b)
                        : b == wanted.end() ? ends(*a)
                                            : std::min(ends(*a), ends(*b));
      have.clear();
      want.clear();
      for (; a != kept.end() && ends(*a) == next; ++a) have.push_back(a->label);
      for (; b != wanted.end() && ends(*b) == next; ++b) want.push_back(b->label);
      cost += cost_of_edges(have, want, costs_);
    }
    return cost;
  }

  const EditableGraph& few_;
  const EditableGraph& many_;
  const GraphEditCosts& costs_;
  std::vector<double> of_kinds_;  ///< of nodes of two kinds with half of their edges
  std::vector<std::uint32_t> partner_;
  double cost_ = 0;
};

/// A bound of the graph edit distance, the least cost of edits that turn one graph into another, by
/// a cheapest assignment of nodes with their edges (Riesen & Bunke 2009). A node, together with
/// half of each of its edges, takes the place of one of the other graph's, is deleted, or is
/// inserted. The least cost of that is the lower bound. The upper bound is the cost of the edits
/// that the assignment implies.
///
/// Both are symmetric to the bit, and 0 for equal rows. The lower bound depends on nothing but the
/// graphs; the upper one also on the order of nodes, where several assignments are cheapest.
double edit_bound(const EditableGraph& a, const EditableGraph& b, const GraphEditCosts& costs,
                  bool lower, const std::function<void()>& poll) {
  if (std::ranges::equal(a.row, b.row)) return 0;
  // One order of the pair for both directions, so that both have the same bits.
  const std::size_t n = a.graph.nodes(), m = b.graph.nodes();
  const bool in_order = n != m ? n < m : std::ranges::lexicographical_compare(a.row, b.row);
  const NodeAssignment assignment(in_order ? a : b, in_order ? b : a, costs, poll);
  return lower ? assignment.cost() : assignment.cost_of_edits();
}

/// A bound of the least cost of edits that turn one graph into another.
class GraphEdit final : public Distance {
 public:
  static Declaration<GraphEdit> declare() {
    return distance_parameters(
               Declaration<GraphEdit>("similarity/graph_edit",
                                      "Bipartite bound of the edit distance of graphs"))
        .parameter("bound", &GraphEdit::bound_,
                   "lower: the least cost of an assignment of nodes with their edges, never above "
                   "the edit distance; upper: the cost of the edits that it implies, never below",
                   choices({"lower", "upper"}))
        .parameter("node", &GraphEdit::node_, "cost of a node that only one of two graphs has",
                   above(0), at_most(1000))
        .parameter("node_label", &GraphEdit::node_label_,
                   "cost of a node in place of one with another label", at_least(0), at_most(1000))
        .parameter("attributes", &GraphEdit::attributes_,
                   "cost of a node in place of another, per Euclidean distance of their "
                   "attributes; 0: attributes are ignored",
                   at_least(0), at_most(1000))
        .parameter("edge", &GraphEdit::edge_, "cost of an edge that only one of two graphs has",
                   at_least(0), at_most(1000))
        .parameter("edge_label", &GraphEdit::edge_label_,
                   "cost of an edge in place of one with another label", at_least(0), at_most(1000))
        .accepts({LayoutKind::graph})
        .symmetric()
        .documentation(
            "The edit distance of graphs is NP-hard. Its bounds come from a cheapest assignment: "
            "each node, with half of each of its edges, takes the place of a node of the other "
            "graph, or is deleted or inserted. Both bounds are symmetric and 0 for equal samples. "
            "The lower bound is the same for any order of a graph's nodes, and may be 0 for "
            "different graphs; the upper bound depends on the order of nodes where several "
            "assignments are cheapest. A node is never exchanged for another one where deleting "
            "and inserting both, with their edges, is cheaper. Labels that training graphs lack "
            "differ from all of theirs. Attributes of edges are ignored. Not positive "
            "semi-definite: kernel machines repair it or use it as it is.")
        .reference(
            "Riesen & Bunke 2009, Approximate graph edit distance computation by means of "
            "bipartite graph matching; Riesen, Fischer & Bunke 2014, Computing upper and lower "
            "bounds of graph edit distance in cubic time; Serratosa 2014, Fast computation of "
            "bipartite graph matching; Jonker & Volgenant 1987")
        .complexity(
            "n^2 m operations per pair of n and m nodes, n <= m, at most; often about 10 n m")
        .example(R"(
        graphs: {is: source/random_graphs}
        bases:  {is: basis/random, count: 20, from: graphs}
        edit:   {is: similarity/graph_edit, from: graphs, bases: bases}
        phi:    {is: normalizer/mean_norm, from: edit}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const auto nodes = static_cast<double>(layout().shape.nodes);
    return nodes * nodes * nodes;
  }

 private:
  void prepare_bases(MatrixView bases, Context& context) override {
    bases_.clear();
    bases_.reserve(bases.rows);
    for_each_graph(bases, layout().shape, RowError::Of::bases, 0,
                   [&](std::size_t j, const GraphView& graph) {
                     context.check_stop();
                     bases_.emplace_back(bases.row_span(j), graph, layout().shape.directed);
                   });
  }

  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override {
    const GraphEditCosts costs{node_, node_label_, attributes_, edge_, edge_label_};
    const auto poll = [&] { context.check_stop(); };
    for_each_graph(in, layout().shape, RowError::Of::block, 0,
                   [&](std::size_t i, const GraphView& view) {
                     const EditableGraph graph(in.row_span(i), view, layout().shape.directed);
                     for (std::size_t j = 0; j < out.cols; ++j) {
                       poll();
                       out.row(i)[j] = static_cast<float>(
                           edit_bound(bases_[first + j], graph, costs, bound_ == "lower", poll));
                     }
                   });
  }

  std::string bound_ = "lower";
  double node_ = 1, node_label_ = 1, attributes_ = 0, edge_ = 1, edge_label_ = 1;
  std::vector<EditableGraph> bases_;
};

}  // namespace

ComponentEntry declare_graph_edit() { return GraphEdit::declare().entry(); }

}  // namespace semblance::graphs
