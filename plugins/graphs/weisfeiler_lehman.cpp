// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "attribute_bins.hpp"
#include "colours.hpp"
#include "graph_counts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/samples.hpp"

namespace semblance::graphs {
namespace {

/// The number of nodes of each colour that training graphs have.
class WeisfeilerLehman final : public GraphCounter<Normalizer> {
 public:
  Layout bind(const Layout& input) override;
  std::size_t values_of(std::size_t values) const override;
  void fit(const TrainingSet& training, Context& context) override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  static Declaration<WeisfeilerLehman> declare();

 private:
  GraphCounts counted(const GraphView& graph, Context& context) const override;
  bool uses_attributes() const noexcept { return attributes_ == "bins"; }
  std::size_t repeats() const noexcept {
    return uses_attributes() ? static_cast<std::size_t>(repeats_) : 1;
  }
  std::vector<Colour> colours_in(const GraphView& graph) const;
  std::vector<Colour> colours_of(const Rows& rows, std::size_t block) const;

  std::int64_t depth_ = 4;
  bool edge_labels_ = true;
  std::string attributes_ = "ignore";
  double bin_width_ = 1;
  std::int64_t repeats_ = 10;
  std::string values_ = "counts";
  std::int64_t columns_ = std::int64_t{1} << 18;
  ColourRule rule_;
  AttributeBins bins_;         ///< if it uses attributes
  std::vector<Colour> known_;  ///< ascending: a colour's position is its column
};

Layout WeisfeilerLehman::bind(const Layout& input) {
  if (uses_attributes() && input.shape.node_attributes == 0)
    throw Error("'attributes: bins' needs nodes with attributes, but these have none; omit it");
  shape_ = input.shape;
  rule_ = {static_cast<std::size_t>(depth_), shape_.directed,
           edge_labels_ && !shape_.edge_labels.empty()};
  return Layout::sparse(static_cast<std::size_t>(columns_));
}

/// A graph has at most one colour per value and refinement: nodes without labels and edges, which
/// take no values, all have the same.
std::size_t WeisfeilerLehman::values_of(std::size_t values) const {
  return std::min(repeats() * (rule_.depth + 1) * values, static_cast<std::size_t>(columns_));
}

std::vector<Colour> WeisfeilerLehman::colours_in(const GraphView& graph) const {
  if (!uses_attributes()) return node_colours(graph, rule_);
  std::vector<Colour> all;
  all.reserve(repeats() * (rule_.depth + 1) * graph.nodes());
  for (std::size_t repeat = 0; repeat < repeats(); ++repeat) {
    const auto colours = node_colours(graph, rule_, bins_.bins(graph, repeat, bin_width_));
    all.insert(all.end(), colours.begin(), colours.end());
  }
  return all;
}

std::vector<Colour> WeisfeilerLehman::colours_of(const Rows& rows, std::size_t block) const {
  const std::size_t first = block * block_rows, count = std::min(block_rows, rows.rows() - first);
  const MatrixView view = rows.view(first, count);
  std::vector<Colour> all;
  for_each_graph(view, shape_, RowError::Of::training, first,
                 [&](std::size_t, const GraphView& graph) {
                   const std::vector<Colour> colours = colours_in(graph);
                   all.insert(all.end(), colours.begin(), colours.end());
                 });
  rows.release(first, count);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

void WeisfeilerLehman::fit(const TrainingSet& training, Context& context) {
  if (training.rows.rows() == 0) throw Error("there are no training graphs to learn from");
  if (uses_attributes()) bins_.learn(training.rows, shape_, repeats(), context.random(), context);
  std::vector<std::vector<Colour>> found(block_count(training.rows.rows()));
  context.parallel_for(found.size(), [&](std::size_t block) {
    context.check_stop();
    found[block] = colours_of(training.rows, block);
  });
  known_.clear();
  for (std::vector<Colour>& colours : found) {
    std::vector<Colour> both;
    both.reserve(known_.size() + colours.size());
    std::ranges::set_union(known_, colours, std::back_inserter(both));
    known_ = std::move(both);
    colours = {};
  }
  if (known_.size() > static_cast<std::size_t>(columns_))
    throw Error("the training graphs have " + std::to_string(known_.size()) +
                " colours, more than columns: " + std::to_string(columns_) +
                "; raise columns or lower depth" + (uses_attributes() ? " or repeats" : ""));
  context.log(LogLevel::info, std::to_string(known_.size()) + " colours in " +
                                  std::to_string(training.rows.rows()) + " training graphs");
}

GraphCounts WeisfeilerLehman::counted(const GraphView& graph, Context& context) const {
  context.check_stop();
  std::vector<Colour> colours = colours_in(graph);
  std::ranges::sort(colours);
  GraphCounts counts;
  auto place = known_.begin();
  for (auto at = colours.begin(); at != colours.end();) {
    const auto end = std::upper_bound(at, colours.end(), *at);
    const auto count = values_ == "binary" ? 1 : static_cast<std::uint64_t>(end - at);
    counts.squares += static_cast<double>(count) * static_cast<double>(count);
    place = std::lower_bound(place, known_.end(), *at);
    if (place != known_.end() && *place == *at)
      counts.columns.push_back({static_cast<std::uint32_t>(place - known_.begin()), count});
    at = end;
  }
  return counts;
}

void WeisfeilerLehman::save(StateWriter& state) const {
  std::vector<std::int64_t> colours(known_.size());
  std::ranges::transform(known_, colours.begin(),
                         [](Colour colour) { return std::bit_cast<std::int64_t>(colour); });
  state.integers("colours", colours);
  if (uses_attributes()) bins_.save(state);
}

void WeisfeilerLehman::load(const StateReader& state, Context&) {
  const std::vector<std::int64_t> colours = state.integers("colours");
  known_.resize(colours.size());
  std::ranges::transform(colours, known_.begin(),
                         [](std::int64_t colour) { return std::bit_cast<Colour>(colour); });
  if (known_.size() > static_cast<std::size_t>(columns_))
    throw Error("its " + std::to_string(known_.size()) +
                " colours are more than columns: " + std::to_string(columns_));
  if (std::ranges::adjacent_find(known_, std::greater_equal()) != known_.end())
    throw Error("its colours are not in ascending order");
  if (uses_attributes()) bins_.load(state, shape_.node_attributes, repeats());
}

Declaration<WeisfeilerLehman> WeisfeilerLehman::declare() {
  return Declaration<WeisfeilerLehman>(
             "normalizer/weisfeiler_lehman",
             "Counts of a graph's Weisfeiler-Lehman colours: subtrees around its nodes")
      .parameter("depth", &WeisfeilerLehman::depth_,
                 "refinements: a node's last colour tells of all nodes within this many edges",
                 at_least(0), at_most(100))
      .parameter("edge_labels", &WeisfeilerLehman::edge_labels_,
                 "neighbours along edges with different labels are different, if edges have labels")
      .parameter("attributes", &WeisfeilerLehman::attributes_,
                 "ignore them; bins: nodes whose attributes are in different bins of a random "
                 "division have different labels",
                 choices({"ignore", "bins"}))
      .parameter("bin_width", &WeisfeilerLehman::bin_width_,
                 "of bins, in standard deviations of the attributes of training nodes", above(0),
                 at_most(1000))
      .parameter("repeats", &WeisfeilerLehman::repeats_,
                 "random divisions into bins; a row counts the colours of each", at_least(1),
                 at_most(1000))
      .parameter("values", &WeisfeilerLehman::values_,
                 "counts; binary: 1 for each colour that the graph has, however often",
                 choices({"counts", "binary"}))
      .parameter("unit_length", &WeisfeilerLehman::unit_length_,
                 "divide each row by its length, to which colours without a column contribute")
      .parameter("columns", &WeisfeilerLehman::columns_,
                 "most colours that training graphs may have in total; more are refused",
                 at_least(1), at_most(2147483647.0), unit("columns"))
      .accepts({LayoutKind::graph})
      .gives(LayoutKind::sparse)
      .documentation(
          "A node's first colour is its label, or the same for all nodes without labels. Each "
          "refinement makes a new colour of the node's own and those of its neighbours, with "
          "their multiplicities; in directed graphs, of successors and predecessors apart. A row "
          "counts the nodes of each colour, for refinements 0 to `depth`. So inner products of "
          "rows are the Weisfeiler-Lehman subtree kernel, and with `unit_length`, which is the "
          "default, they are its normalized form. With `unit_length: false`, "
          "similarity/intersection of rows is the Weisfeiler-Lehman optimal assignment "
          "kernel (WL-OA).\n\nColumns belong to the colours of training graphs. A colour that "
          "only new graphs have equals none of them, so it has no column. Colours are hashes of 64 "
          "bits; among a million, two different ones are equal "
          "with probability 3e-8.\n\nWith `attributes: bins`, a "
          "random direction and shift divide the attributes of nodes, scaled to mean 0 and "
          "standard deviation 1 over training nodes, into bins of `bin_width`. A node's first "
          "colour is its label and its bin. There are `repeats` such divisions, and a row counts "
          "the colours of all. Attributes of edges are ignored.")
      .reference(
          "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn & Borgwardt 2011, Weisfeiler-Lehman "
          "graph kernels; Kriege, Giscard & Wilson 2016, On valid optimal assignment kernels and "
          "applications to graph classification; Morris, Kriege, Kersting & Mutzel 2016, Faster "
          "kernels for graphs with continuous attributes via hashing")
      .complexity(
          "a visit of each edge per refinement, and sorting the colours; times `repeats` with "
          "attributes")
      .random()
      .example(R"(
        graphs: {is: source/random_graphs}
        wl:     {is: normalizer/weisfeiler_lehman, depth: 3, from: graphs}
        svm:    {is: solver/linear_svm, from: wl}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_weisfeiler_lehman() { return WeisfeilerLehman::declare().entry(); }

}  // namespace semblance::graphs
