// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "edit_bounds.hpp"
#include "graph_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance::graphs {
namespace {

/// A bound of the least cost of edits that turn one graph into another.
class GraphEdit final : public Distance {
 public:
  static Declaration<GraphEdit> declare();
  double operations() const noexcept override;

 private:
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;
  GraphEditCosts costs() const noexcept {
    return {node_, node_label_, attributes_, edge_, edge_label_};
  }

  std::string bound_ = "lower";
  double node_ = 1, node_label_ = 1, attributes_ = 0, edge_ = 1, edge_label_ = 1;
  std::vector<EditableGraph> bases_;
};

Declaration<GraphEdit> GraphEdit::declare() {
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
                 "cost of a node in place of another, per Euclidean distance of their attributes; "
                 "0: attributes are ignored",
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
          "assignments are cheapest. A node is never exchanged for another one where deleting and "
          "inserting both, with their edges, is cheaper. Labels that training graphs lack differ "
          "from all of theirs. Attributes of edges are ignored. Not positive semi-definite: "
          "kernel machines repair it or use it as it is.")
      .reference(
          "Riesen & Bunke 2009, Approximate graph edit distance computation by means of bipartite "
          "graph matching; Riesen, Fischer & Bunke 2014, Computing upper and lower bounds of "
          "graph edit distance in cubic time; Serratosa 2014, Fast computation of bipartite graph "
          "matching; Jonker & Volgenant 1987")
      .complexity("n^2 m operations per pair of n and m nodes, n <= m, at most; often about 10 n m")
      .example(R"(
        graphs: {is: source/random_graphs}
        bases:  {is: basis/random, count: 20, from: graphs}
        edit:   {is: similarity/graph_edit, from: graphs, bases: bases}
        phi:    {is: normalizer/mean_norm, from: edit}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

double GraphEdit::operations() const noexcept {
  const auto nodes = static_cast<double>(layout().shape.nodes);
  return nodes * nodes * nodes;
}

void GraphEdit::prepare_bases(MatrixView bases, Context& context) {
  bases_.clear();
  bases_.reserve(bases.rows);
  for_each_graph(bases, layout().shape, RowError::Of::bases, 0,
                 [&](std::size_t j, const GraphView& graph) {
                   context.check_stop();
                   bases_.emplace_back(bases.row_span(j), graph, layout().shape.directed);
                 });
}

void GraphEdit::distances(MatrixView in, std::size_t first, MutableMatrixView out,
                          Context& context) const {
  const GraphEditCosts costs = this->costs();
  const EditBound bound = bound_ == "lower" ? EditBound::lower : EditBound::upper;
  const auto poll = [&] { context.check_stop(); };
  for_each_graph(
      in, layout().shape, RowError::Of::block, 0, [&](std::size_t i, const GraphView& view) {
        const EditableGraph graph(in.row_span(i), view, layout().shape.directed);
        for (std::size_t j = 0; j < out.cols; ++j) {
          poll();
          out.row(i)[j] =
              static_cast<float>(edit_bound(bases_[first + j], graph, costs, bound, poll));
        }
      });
}

}  // namespace

ComponentEntry declare_graph_edit() { return GraphEdit::declare().entry(); }

}  // namespace semblance::graphs
