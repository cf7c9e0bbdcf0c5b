// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "colours.hpp"
#include "graph_counts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::graphs {
namespace {

/// Means and sums of squared deviations of some nodes' attributes.
struct Moments {
  double count = 0;
  std::vector<double> means, squares;

  explicit Moments(std::size_t attributes) : means(attributes), squares(attributes) {}

  /// Chan, Golub & LeVeque 1979.
  void add(const Moments& other) {
    const double sum = count + other.count;
    if (sum == 0) return;
    for (std::size_t k = 0; k < means.size(); ++k) {
      const double difference = other.means[k] - means[k];
      means[k] += difference * other.count / sum;
      squares[k] += other.squares[k] + difference * difference * count * other.count / sum;
    }
    count = sum;
  }
};

void check_finite(std::span<const float> attributes) {
  for (const float value : attributes)
    if (!std::isfinite(value))
      throw Error("a node has an attribute that is not a finite number; correct or remove it");
}

Moments moments_of(const GraphView& graph, std::size_t attributes) {
  Moments moments(attributes);
  for (std::size_t v = 0; v < graph.nodes(); ++v) {
    check_finite(graph.node_attributes(v));
    for (std::size_t k = 0; k < attributes; ++k) moments.means[k] += graph.node_attributes(v)[k];
  }
  moments.count = static_cast<double>(graph.nodes());
  for (double& mean : moments.means) mean /= moments.count;
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (std::size_t k = 0; k < attributes; ++k) {
      const double difference = graph.node_attributes(v)[k] - moments.means[k];
      moments.squares[k] += difference * difference;
    }
  return moments;
}

/// Random divisions of the space of node attributes into bins, as labels for graph kernels: hash
/// graph kernels (Morris, Kriege, Kersting & Mutzel 2016) with the hash functions of Datar et al.
/// 2004. A division cuts the line along a random direction into pieces of one width.
class AttributeBins {
 public:
  /// Learns the attributes' means and deviations over all nodes of training graphs, and draws
  /// `divisions` of them. A constant attribute has no effect.
  void learn(const Rows& rows, const GraphShape& shape, std::size_t divisions, Random random,
             Context& context) {
    const std::size_t attributes = shape.node_attributes;
    std::vector<Moments> blocks(block_count(rows.rows()), Moments(attributes));
    context.parallel_for(blocks.size(), [&](std::size_t block) {
      context.check_stop();
      const std::size_t first = block * block_rows,
                        count = std::min(block_rows, rows.rows() - first);
      for_each_graph(rows.view(first, count), shape, RowError::Of::training, first,
                     [&](std::size_t, const GraphView& graph) {
                       blocks[block].add(moments_of(graph, attributes));
                     });
      rows.release(first, count);
    });
    Moments all(attributes);
    for (const Moments& block : blocks) all.add(block);
    means_ = all.means;
    scales_.assign(attributes, 0);
    for (std::size_t k = 0; k < attributes; ++k) {
      const double deviation = std::sqrt(all.squares[k] / all.count);
      // A constant attribute's deviation is rounding: it must not be blown up to one.
      if (deviation > 1e-13 * std::abs(means_[k])) scales_[k] = 1 / deviation;
    }
    directions_.clear();
    shifts_.clear();
    for (std::size_t division = 0; division < divisions; ++division) {
      std::vector<double> direction(attributes);
      double square = 0;
      for (double& part : direction) {
        part = random.normal();
        square += part * part;
      }
      for (const double part : direction) directions_.push_back(part / std::sqrt(square));
      shifts_.push_back(random.uniform());
    }
  }

  /// A hash of a division and of each node's bin in it, whose width is in standard deviations.
  /// Throws Error if an attribute is not finite.
  std::vector<std::uint64_t> bins(const GraphView& graph, std::size_t division,
                                  double width) const {
    const double* const direction = directions_.data() + division * means_.size();
    std::vector<std::uint64_t> bins(graph.nodes());
    for (std::size_t v = 0; v < bins.size(); ++v) {
      const auto attributes = graph.node_attributes(v);
      check_finite(attributes);
      double place = 0;
      for (std::size_t k = 0; k < means_.size(); ++k)
        place += direction[k] * ((attributes[k] - means_[k]) * scales_[k]);
      // As the bits of a double, so that a far outlier has a bin; + 0.0 because -0 is 0.
      const double bin = std::floor(place / width + shifts_[division]) + 0.0;
      bins[v] = mixed(std::bit_cast<std::uint64_t>(bin) ^ mixed(division));
    }
    return bins;
  }

  void save(StateWriter& state) const {
    state.doubles("attribute_means", means_);
    state.doubles("attribute_scales", scales_);
    state.doubles("directions", directions_);
    state.doubles("shifts", shifts_);
  }

  /// Throws Error if the state is not one of graphs with this many attributes.
  void load(const StateReader& state, std::size_t attributes, std::size_t divisions) {
    const auto read = [&](const char* name, std::size_t size) {
      std::vector<double> values = state.doubles(name);
      if (values.size() != size)
        throw Error("its " + std::string(name) + " are " + std::to_string(values.size()) +
                    " numbers, but " + std::to_string(size) + " are needed");
      if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        throw Error("its " + std::string(name) + " are not all finite numbers");
      return values;
    };
    means_ = read("attribute_means", attributes);
    scales_ = read("attribute_scales", attributes);
    directions_ = read("directions", attributes * divisions);
    shifts_ = read("shifts", divisions);
  }

 private:
  std::vector<double> means_, scales_;  ///< of each attribute
  std::vector<double> directions_;      ///< of length 1: those of a division adjacent
  std::vector<double> shifts_;          ///< of each division, as a share of a bin
};

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
      .parameter(
          "depth", &WeisfeilerLehman::depth_,
          "number of refinements: a node's last colour depends on all nodes within this many edges",
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
