// SPDX-License-Identifier: MIT
#include "five_nodes.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>

#include "colours.hpp"
#include "semblance/random.hpp"

namespace semblance::graphs {
namespace {

using Five = std::array<std::uint32_t, 5>;
using Counts = std::array<double, five_node_kinds>;

/// The nodes that each of five is joined with, as bits.
using Adjacent = std::array<unsigned, 5>;

Adjacent adjacent_of(unsigned joined) {
  Adjacent with{};
  unsigned bit = 0;
  for (unsigned u = 0; u < 5; ++u)
    for (unsigned v = u + 1; v < 5; ++v, ++bit)
      if ((joined >> bit & 1) != 0) with[u] |= 1U << v, with[v] |= 1U << u;
  return with;
}

bool connected(const Adjacent& with) {
  unsigned reached = 1;
  for (int step = 0; step < 4; ++step)
    for (unsigned v = 0; v < 5; ++v)
      if ((reached >> v & 1) != 0) reached |= with[v];
  return reached == 31;
}

/// What distinguishes kinds, in their order.
using Key = std::tuple<bool, int, std::array<int, 5>, int>;

Key key_of(unsigned joined) {
  const Adjacent with = adjacent_of(joined);
  std::array<int, 5> degrees{};
  int triangles = 0;
  for (unsigned u = 0; u < 5; ++u) {
    degrees[u] = std::popcount(with[u]);
    for (unsigned v = 0; v < u; ++v)
      if ((with[u] >> v & 1) != 0) triangles += std::popcount(with[u] & with[v]);
  }
  std::ranges::sort(degrees, std::greater());
  return {connected(with), std::popcount(joined), degrees, triangles};
}

std::array<std::uint8_t, 1024> make_kinds() {
  std::vector<Key> keys;
  for (unsigned joined = 0; joined < 1024; ++joined) keys.push_back(key_of(joined));
  std::vector<Key> order = keys;
  std::ranges::sort(order);
  order.erase(std::ranges::unique(order).begin(), order.end());
  std::array<std::uint8_t, 1024> kinds{};
  for (unsigned joined = 0; joined < 1024; ++joined)
    kinds[joined] =
        static_cast<std::uint8_t>(std::ranges::lower_bound(order, keys[joined]) - order.begin());
  return kinds;
}

bool joined(const PlainNeighbours& graph, std::uint32_t u, std::uint32_t v) {
  return std::ranges::binary_search(graph[u], v);
}

unsigned induced(const PlainNeighbours& graph, const Five& nodes) {
  unsigned bits = 0, bit = 0;
  for (unsigned u = 0; u < 5; ++u)
    for (unsigned v = u + 1; v < 5; ++v, ++bit)
      if (joined(graph, nodes[u], nodes[v])) bits |= 1U << bit;
  return bits;
}

/// A stream that depends on the graph alone.
Random random_of(const PlainNeighbours& graph) {
  std::uint64_t hash = graph.size();
  for (const auto& neighbours : graph) {
    hash = mixed(hash + neighbours.size());
    for (const std::uint32_t v : neighbours) hash = mixed(hash ^ v);
  }
  return Random(hash);
}

Counts counts_of_all_sets(const PlainNeighbours& graph) {
  Counts counts{};
  const auto n = static_cast<std::uint32_t>(graph.size());
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      for (std::uint32_t c = b + 1; c < n; ++c)
        for (std::uint32_t d = c + 1; d < n; ++d)
          for (std::uint32_t e = d + 1; e < n; ++e)
            ++counts[five_node_kind(induced(graph, {a, b, c, d, e}))];
  return counts;
}

/// Every connected set of five nodes once: algorithm ESU of Wernicke 2006. A set grows from its
/// smallest node by nodes that none of its earlier nodes was joined with.
class ConnectedSets {
 public:
  ConnectedSets(const PlainNeighbours& graph, std::size_t most)
      : graph_(graph), near_(graph.size()), most_(most) {}

  /// Calls visit(nodes) for each set; false: there are more than `most`, and it stopped.
  bool visit(const std::function<void(const Five&)>& visit) {
    visit_ = &visit;
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      nodes_[0] = v;
      near_[v] = true;
      std::vector<std::uint32_t> next;
      for (const std::uint32_t w : graph_[v])
        if (w > v) next.push_back(w), near_[w] = true;
      const bool within = grow(1, next);
      for (const std::uint32_t w : next) near_[w] = false;
      near_[v] = false;
      if (!within) return false;
    }
    return true;
  }

 private:
  bool grow(std::size_t size, std::vector<std::uint32_t> next) {
    if (size == 5) {
      if (found_++ == most_) return false;
      (*visit_)(nodes_);
      return true;
    }
    while (!next.empty()) {
      const std::uint32_t w = next.back();
      next.pop_back();
      nodes_[size] = w;
      std::vector<std::uint32_t> longer = next;
      const std::size_t before = longer.size();
      for (const std::uint32_t u : graph_[w])
        if (u > nodes_[0] && !near_[u]) longer.push_back(u), near_[u] = true;
      const bool within = grow(size + 1, longer);
      for (std::size_t k = before; k < longer.size(); ++k) near_[longer[k]] = false;
      if (!within) return false;
    }
    return true;
  }

  const PlainNeighbours& graph_;
  std::vector<bool> near_;  ///< the set's nodes and those that they are joined with
  std::size_t most_, found_ = 0;
  Five nodes_{};
  const std::function<void(const Five&)>* visit_ = nullptr;
};

/// The chance that a set grows in any order: from an even node, by an even one of the edges that
/// lead out of the set.
double chance_of(const PlainNeighbours& graph, const Five& nodes, unsigned joined) {
  const Adjacent with = adjacent_of(joined);
  std::array<double, 32> chance{};
  for (unsigned v = 0; v < 5; ++v) chance[1U << v] = 1 / static_cast<double>(graph.size());
  for (unsigned set = 1; set < 31; ++set) {
    if (chance[set] == 0) continue;
    std::size_t out = 0;
    for (unsigned v = 0; v < 5; ++v)
      if ((set >> v & 1) != 0)
        out += graph[nodes[v]].size() - static_cast<std::size_t>(std::popcount(with[v] & set));
    for (unsigned v = 0; v < 5; ++v)
      if ((set >> v & 1) == 0 && (with[v] & set) != 0)
        chance[set | 1U << v] +=
            chance[set] * std::popcount(with[v] & set) / static_cast<double>(out);
  }
  return chance[31];
}

/// Grows a set along random edges; false if it is stuck in a part of fewer than five nodes.
bool grow_at_random(const PlainNeighbours& graph, Random& random, Five& nodes) {
  nodes[0] = static_cast<std::uint32_t>(random.below(graph.size()));
  std::vector<std::uint32_t> out;  // a node once for each edge that leads to it
  for (std::size_t size = 1; size < 5; ++size) {
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(size);
    const auto inside = [&](std::uint32_t v) { return std::find(nodes.begin(), end, v) != end; };
    std::erase_if(out, inside);
    for (const std::uint32_t v : graph[nodes[size - 1]])
      if (!inside(v)) out.push_back(v);
    if (out.empty()) return false;
    nodes[size] = out[random.below(out.size())];
  }
  return true;
}

}  // namespace

std::size_t five_node_kind(unsigned joined) {
  static const std::array<std::uint8_t, 1024> kinds = make_kinds();
  return kinds[joined];
}

Counts five_node_counts(const PlainNeighbours& graph, std::size_t samples) {
  const auto n = static_cast<double>(graph.size());
  if (graph.size() < 5) return {};
  const double sets = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 120;
  if (sets <= static_cast<double>(samples)) return counts_of_all_sets(graph);
  Random random = random_of(graph);
  Counts counts{};
  for (std::size_t sample = 0; sample < samples; ++sample) {
    Five nodes{};
    for (std::size_t k = 0; k < 5; ++k) {
      const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(k);
      do nodes[k] = static_cast<std::uint32_t>(random.below(graph.size()));
      while (std::find(nodes.begin(), end, nodes[k]) != end);
    }
    ++counts[five_node_kind(induced(graph, nodes))];
  }
  for (double& count : counts) count *= sets / static_cast<double>(samples);
  return counts;
}

Counts connected_five_node_counts(const PlainNeighbours& graph, std::size_t samples) {
  Counts counts{};
  if (ConnectedSets(graph, samples).visit([&](const Five& nodes) {
        ++counts[five_node_kind(induced(graph, nodes))];
      }))
    return counts;
  counts = {};
  Random random = random_of(graph);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    Five nodes{};
    if (!grow_at_random(graph, random, nodes)) continue;
    const unsigned joined = induced(graph, nodes);
    counts[five_node_kind(joined)] += 1 / chance_of(graph, nodes, joined);
  }
  for (double& count : counts) count /= static_cast<double>(samples);
  return counts;
}

}  // namespace semblance::graphs
