// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "semblance/collectives.hpp"

namespace semblance {

/// The tree that sums over parts go up: a node is made of its two children, left plus right, as
/// soon as both are there; where there is no right one, it is the left one. Thread-safe.
class SumTree {
 public:
  explicit SumTree(std::size_t parts) : parts_(parts) {}

  void add(PartSum sum);

  /// What is left: nodes whose neighbours have not come, by the parts that they are of.
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
