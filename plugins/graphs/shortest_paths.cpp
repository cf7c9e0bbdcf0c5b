// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "colours.hpp"
#include "graph_counts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance::graphs {
namespace {

/// Counts columns in memory for those that differ, not for all that are added.
class ColumnCounter {
 public:
  void add(std::uint32_t column) {
    if (added_.size() == std::max(few, counts_.size())) join();
    added_.push_back(column);
  }

  std::vector<ColumnCount> take() {
    join();
    return std::move(counts_);
  }

 private:
  static constexpr std::size_t few = std::size_t{1} << 16;

  void join() {
    std::ranges::sort(added_);
    std::vector<ColumnCount> both;
    both.reserve(counts_.size() + std::min(few, added_.size()));
    auto known = counts_.begin();
    for (auto at = added_.begin(); at != added_.end();) {
      const auto end = std::upper_bound(at, added_.end(), *at);
      for (; known != counts_.end() && known->column < *at; ++known) both.push_back(*known);
      both.push_back({*at, static_cast<std::uint64_t>(end - at)});
      if (known != counts_.end() && known->column == *at) both.back().count += (known++)->count;
      at = end;
    }
    both.insert(both.end(), known, counts_.end());
    counts_ = std::move(both);
    added_.clear();
  }

  std::vector<std::uint32_t> added_;
  std::vector<ColumnCount> counts_;  ///< ascending
};

/// The number of shortest paths with each pair of labels at their ends and each length.
class ShortestPaths final : public GraphCounter<Feature> {
 public:
  Layout bind(const Layout& input) override {
    constexpr std::size_t most_columns = std::numeric_limits<std::int32_t>::max();
    shape_ = input.shape;
    labels_ = std::max<std::size_t>(shape_.node_labels.size(), 1);
    const std::size_t possible = std::max<std::size_t>(shape_.nodes, 2) - 1;
    most_ = longest_ == 0 ? most_columns : static_cast<std::size_t>(longest_);
    lengths_ = std::min(possible, most_);
    if (labels_ > most_columns / labels_ || labels_ * labels_ > most_columns / lengths_)
      throw Error("paths of up to " + std::to_string(lengths_) + " edges between nodes of " +
                  std::to_string(labels_) + " labels have more than " +
                  std::to_string(most_columns) + " kinds; lower 'longest'");
    return Layout::sparse(labels_ * labels_ * lengths_);
  }

  /// A connected part with n nodes takes 3 n - 2 values or more where nodes have labels, and has
  /// n (n - 1) pairs of them: the largest sum is that of a single part. Without labels a path's
  /// length is all that counts, and there are fewer lengths than values.
  std::size_t values_of(std::size_t values) const override {
    constexpr std::size_t large = std::size_t{1} << 30;
    const std::size_t columns = labels_ * labels_ * lengths_;
    if (labels_ == 1) return std::min(values, columns);
    return values > large ? columns : std::min(columns, values * (values + 1) / 9);
  }

  static Declaration<ShortestPaths> declare() {
    return Declaration<ShortestPaths>("feature/shortest_paths",
                                      "Counts of a graph's shortest paths by length and end labels")
        .parameter("longest", &ShortestPaths::longest_,
                   "edges of the longest path that counts; 0: any number", at_least(0),
                   at_most(1e6), unit("edges"))
        .parameter("unit_length", &ShortestPaths::unit_length_,
                   "divide each row by its length, to which paths without a column contribute")
        .accepts({LayoutKind::graph})
        .gives(LayoutKind::sparse)
        .documentation(
            "For each ordered pair of different nodes with a path from one to the other, the label "
            "of the first, the label of the second, and the number of edges of the shortest path "
            "choose the column that counts it. Inner products of rows are the shortest-path kernel "
            "with equal labels and equal lengths; with `unit_length`, which is the default, they "
            "are its normalized form. Paths between labels that training graphs lack, or longer "
            "than theirs can be, have no column, but they count for the length of a row. Edges of "
            "directed graphs lead one way; labels of edges and attributes are ignored.")
        .reference("Borgwardt & Kriegel 2005, Shortest-path kernels on graphs")
        .complexity("nodes x edges")
        .example(R"(
        graphs: {is: source/random_graphs}
        paths:  {is: feature/shortest_paths, from: graphs}
        svm:    {is: solver/linear_svm, from: paths}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  GraphCounts counted(const GraphView& graph, Context& context) const override {
    const GraphNeighbours neighbours(graph, shape_.directed);
    const std::size_t nodes = graph.nodes();
    ColumnCounter columns;
    std::unordered_map<std::uint64_t, double> unknown;  // paths without a column, by a hash
    std::vector<std::uint32_t> reached, distances(nodes);
    constexpr auto unreached = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t start = 0; start < nodes; ++start) {
      context.check_stop();
      std::ranges::fill(distances, unreached);
      distances[start] = 0;
      reached.assign(1, start);
      for (std::size_t k = 0; k < reached.size() && distances[reached[k]] < most_; ++k)
        for (const auto& [next, edge] : neighbours.of(reached[k])) {
          if (distances[next] != unreached) continue;
          distances[next] = distances[reached[k]] + 1;
          reached.push_back(next);
          const std::size_t from = graph.node_label(start), to = graph.node_label(next);
          const std::size_t length = distances[next];
          if (from < labels_ && to < labels_ && length <= lengths_)
            columns.add(static_cast<std::uint32_t>((from * labels_ + to) * lengths_ + length - 1));
          else
            ++unknown[mixed(mixed(mixed(from) + to) + length)];
        }
    }
    GraphCounts counts{columns.take()};
    for (const ColumnCount& each : counts.columns)
      counts.squares += static_cast<double>(each.count) * static_cast<double>(each.count);
    for (const auto& [path, count] : unknown) counts.squares += count * count;
    return counts;
  }

  std::int64_t longest_ = 0;
  std::size_t labels_ = 1;   ///< of training graphs
  std::size_t lengths_ = 1;  ///< that have columns
  std::size_t most_ = 1;     ///< edges of the longest path that counts
};

}  // namespace

ComponentEntry declare_shortest_paths() { return ShortestPaths::declare().entry(); }

}  // namespace semblance::graphs
