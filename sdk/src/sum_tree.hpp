// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "semblance/collectives.hpp"

namespace semblance {

/// The tree for sums over parts: a node is the sum of its two children, left plus right, computed
/// as soon as both exist; without a right child it is the left one. Thread-safe.
class SumTree {
 public:
  explicit SumTree(std::size_t parts) : parts_(parts) {}

  void add(PartSum sum);

  /// Moves out the remaining nodes, whose siblings are missing, in the order of their parts.
  std::vector<PartSum> take();

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // level, index
  bool is_root(const PartSum& sum) const noexcept;
  bool has_neighbour(const PartSum& sum) const noexcept;

  std::size_t parts_;
  std::mutex mutex_;
  std::map<Place, PartSum> waiting_;
};

}  // namespace semblance
