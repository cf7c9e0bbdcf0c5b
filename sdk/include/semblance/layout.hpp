// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace semblance {

/// How the values of one sample are arranged.
enum class LayoutKind {
  vector,    ///< `depth` values without further structure
  image,     ///< planar pixels: value (channel, row, column), channel slowest; 0..255 unless said
  grid,      ///< cells: value (row, column, k), the `depth` values of a cell adjacent
  sequence,  ///< steps in time: value (step, channel), the `depth` channels of a step adjacent
  string,    ///< symbols: one value each, its position in the alphabet
  set,       ///< points: `depth` coordinates each; the order of points has no meaning
  sparse,    ///< a vector of `width` values, mostly 0: its nonzero values by column
  graph,     ///< nodes and edges, written as a row of values that graph.hpp reads and writes
  pair       ///< two samples of layouts of their own; two_parts.hpp reads and writes its row
};

/// What the nodes and edges of graphs have.
struct GraphShape {
  std::size_t nodes = 0;            ///< most nodes of a graph
  std::size_t edges = 0;            ///< most edges of a graph; an undirected one counts once
  bool directed = false;            ///< whether an edge leads from its first node to its second
  std::size_t node_attributes = 0;  ///< numbers per node
  std::size_t edge_attributes = 0;  ///< numbers per edge
  std::vector<std::string> node_labels = {};  ///< names in the order of their numbers; empty: none
  std::vector<std::string> edge_labels = {};  ///< names in the order of their numbers; empty: none

  bool operator==(const GraphShape&) const = default;
};

/// The shape of the samples. A sample of a vector, an image or a grid is `size()` consecutive
/// float32 values. Sequences, strings and sets differ in size: each has up to `width` steps,
/// symbols or points of `depth` values. Sparse vectors have up to `width` entries. Graphs and pairs
/// have up to `width` values.
struct Layout {
  LayoutKind kind = LayoutKind::vector;
  std::size_t height = 1;     ///< rows of pixels or cells; 1 for others
  std::size_t width = 1;      ///< columns of pixels, cells, sparse vectors; most steps, symbols,
                              ///< points; values of the largest graph or pair; else 1
  std::size_t depth = 0;      ///< channels, values per cell, coordinates, or the vector's dimension
  std::string alphabet = {};  ///< for strings: the symbols in the order of their values, as UTF-8
  GraphShape shape = {};      ///< for graphs
  std::vector<Layout> parts = {};  ///< for pairs: that of the first sample and of the second

  static Layout vector(std::size_t dimension) { return {LayoutKind::vector, 1, 1, dimension}; }
  static Layout image(std::size_t height, std::size_t width, std::size_t channels) {
    return {LayoutKind::image, height, width, channels};
  }
  static Layout grid(std::size_t height, std::size_t width, std::size_t depth) {
    return {LayoutKind::grid, height, width, depth};
  }
  static Layout sequence(std::size_t longest, std::size_t channels) {
    return {LayoutKind::sequence, 1, longest, channels};
  }
  static Layout string(std::size_t longest, std::string alphabet) {
    return {LayoutKind::string, 1, longest, 1, std::move(alphabet)};
  }
  static Layout set(std::size_t largest, std::size_t dimension) {
    return {LayoutKind::set, 1, largest, dimension};
  }

  static Layout sparse(std::size_t dimension) { return {LayoutKind::sparse, 1, dimension, 1}; }
  static Layout graph(GraphShape shape);
  static Layout pair(Layout first, Layout second);

  /// The number of values of a sample; of the largest possible one, if samples differ in size.
  std::size_t size() const noexcept { return height * width * depth; }

  /// Whether samples differ in size.
  bool ragged() const noexcept { return kind >= LayoutKind::sequence; }

  bool operator==(const Layout&) const = default;
};

/// The description of a kind of layout.
struct LayoutInfo {
  LayoutKind kind;
  const char* name;                       ///< "image"
  const char* article;                    ///< before the name: "an"
  std::string (*extents)(const Layout&);  ///< "32x32x3 (height x width x channels)"
  Layout example;                         ///< a small one, for checks
};

/// One per kind, in the order of LayoutKind. New kinds are registered here.
const std::vector<LayoutInfo>& layouts();

/// "vector", "image", "grid", "sequence", "string", "set", "sparse vector", "graph" or "pair".
const char* name(LayoutKind kind) noexcept;

/// For messages: "vector of 256", "image of 32x32x3 (height x width x channels)", "sequence of up
/// to 150 steps of 1 channel".
std::string describe(const Layout& layout);

/// The symbols of a string's alphabet, in the order of their values.
std::vector<std::string> symbols_of(const Layout& layout);

}  // namespace semblance
