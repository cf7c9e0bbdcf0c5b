// SPDX-License-Identifier: MIT
#define LEMON_ONLY_TEMPLATES
#include <lemon/bits/graph_extender.h>
#include <lemon/network_simplex.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"
#include "transport.hpp"

namespace semblance::sets {
namespace {

/// From each of some places an arc to each of some others, arc i * columns + j from i to j: LEMON's
/// concept of a digraph, without memory.
class BipartiteBase {
  template <int kKind>
  class Item {
   public:
    Item() = default;
    Item(lemon::Invalid) {}
    explicit Item(int id) : id_(id) {}
    auto operator<=>(const Item&) const = default;
    int id_ = -1;
  };

 public:
  using Node = Item<0>;
  using Arc = Item<1>;
  using NodeNumTag = lemon::True;
  using ArcNumTag = lemon::True;

  int nodeNum() const { return rows_ + columns_; }
  int arcNum() const { return rows_ * columns_; }
  int maxNodeId() const { return nodeNum() - 1; }
  int maxArcId() const { return arcNum() - 1; }
  Node source(Arc arc) const { return Node(arc.id_ / columns_); }
  Node target(Arc arc) const { return Node(rows_ + arc.id_ % columns_); }
  static int id(Node node) { return node.id_; }
  static int id(Arc arc) { return arc.id_; }
  static Node nodeFromId(int id) { return Node(id); }
  static Arc arcFromId(int id) { return Arc(id); }
  void first(Node& node) const { node.id_ = maxNodeId(); }
  static void next(Node& node) { --node.id_; }
  void first(Arc& arc) const { arc.id_ = maxArcId(); }
  static void next(Arc& arc) { --arc.id_; }
  void firstOut(Arc& arc, const Node& node) const {
    arc.id_ = node.id_ < rows_ ? node.id_ * columns_ : -1;
  }
  void nextOut(Arc& arc) const { arc.id_ = (arc.id_ + 1) % columns_ == 0 ? -1 : arc.id_ + 1; }
  void firstIn(Arc& arc, const Node& node) const {
    arc.id_ = node.id_ < rows_ ? -1 : (rows_ - 1) * columns_ + node.id_ - rows_;
  }
  void nextIn(Arc& arc) const { arc.id_ = arc.id_ < columns_ ? -1 : arc.id_ - columns_; }

 protected:
  int rows_ = 0, columns_ = 0;
};

class Bipartite : public lemon::DigraphExtender<BipartiteBase> {
 public:
  Bipartite(std::size_t rows, std::size_t columns) {
    rows_ = static_cast<int>(rows);
    columns_ = static_cast<int>(columns);
  }
};

/// A flow. LEMON has no callback but accesses flows in every pivot, so flows poll for stops.
class Units {
 public:
  Units() = default;
  Units(std::int32_t count) : count_(count) {}
  std::int32_t count() const { return count_; }

  static inline thread_local const std::function<void()>* poll = nullptr;

  friend bool operator==(Units a, Units b) { return a.count_ == b.count_; }
  friend std::strong_ordering operator<=>(Units a, Units b) {
    constexpr std::uint32_t at_once = 1 << 12;
    if (++looks_ % at_once == 0 && poll) (*poll)();
    return a.count_ <=> b.count_;
  }
  friend Units operator-(Units a) { return -a.count_; }
  friend Units operator+(Units a, Units b) { return a.count_ + b.count_; }
  friend Units operator-(Units a, Units b) { return a.count_ - b.count_; }
  friend Units operator*(signed char sign, Units a) { return sign * a.count_; }
  Units& operator+=(Units other) { return count_ += other.count_, *this; }
  Units& operator-=(Units other) { return count_ -= other.count_, *this; }

 private:
  static inline thread_local std::uint32_t looks_ = 0;
  std::int32_t count_ = 0;
};

struct Polling {
  explicit Polling(const std::function<void()>& poll) { Units::poll = &poll; }
  ~Polling() { Units::poll = nullptr; }
  Polling(const Polling&) = delete;
  Polling& operator=(const Polling&) = delete;
};

struct WholeCosts {
  using Key = Bipartite::Arc;
  using Value = std::int64_t;
  Value operator[](Key arc) const {
    return std::llround(costs[static_cast<std::size_t>(Bipartite::id(arc))] * scale);
  }
  std::span<const double> costs;
  double scale;
};

/// In units of which every row has the same integer number, and every column needs the same.
struct Supplies {
  using Key = Bipartite::Node;
  using Value = Units;
  Value operator[](Key node) const { return Bipartite::id(node) < rows ? supply : -demand; }
  std::int32_t rows, supply, demand;
};

}  // namespace
}  // namespace semblance::sets

template <>
class std::numeric_limits<semblance::sets::Units> : public std::numeric_limits<std::int32_t> {};

namespace semblance::sets {

double simplex_transport_cost(std::span<const double> costs, std::size_t rows, std::size_t columns,
                              const std::function<void()>& poll) {
  const double largest = *std::ranges::max_element(costs);
  if (largest == 0) return 0;
  // A potential is the sum of up to as many costs as there are places, within LEMON's 2^62.
  const double scale = 0x1p60 / static_cast<double>(rows + columns) / largest;
  const auto n = static_cast<std::int32_t>(rows), m = static_cast<std::int32_t>(columns);
  const std::int32_t common = std::gcd(n, m);
  const Bipartite graph(rows, columns);
  const Polling polling(poll);
  lemon::NetworkSimplex<Bipartite, Units, std::int64_t> simplex(graph);
  simplex.costMap(WholeCosts{costs, scale}).supplyMap(Supplies{n, m / common, n / common});
  if (simplex.run() != simplex.OPTIMAL)
    throw Error("the network simplex method found no transport plan; use method: sinkhorn");
  double sum = 0;
  std::int64_t moved = 0;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    const std::int32_t amount = simplex.flow(Bipartite::arcFromId(static_cast<int>(k))).count();
    if (amount == 0) continue;
    sum += static_cast<double>(amount) * costs[k];
    moved += amount;
  }
  return sum / static_cast<double>(moved);
}

}  // namespace semblance::sets
