// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/graph.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::graphs {

/// Random divisions of the space of node attributes into bins, as labels for graph kernels: hash
/// graph kernels (Morris, Kriege, Kersting & Mutzel 2016) with the hash functions of Datar et al.
/// 2004. A division cuts the line along a random direction into pieces of one width.
class AttributeBins {
 public:
  /// Learns the attributes' means and deviations over all nodes of training graphs, and draws
  /// `divisions` of them. A constant attribute has no effect.
  void learn(const Rows& rows, const GraphShape& shape, std::size_t divisions, Random random,
             Context& context);

  std::size_t divisions() const noexcept { return shifts_.size(); }

  /// A hash of a division and of each node's bin in it, whose width is in standard deviations.
  /// Throws Error if an attribute is not finite.
  std::vector<std::uint64_t> bins(const GraphView& graph, std::size_t division, double width) const;

  void save(StateWriter& state) const;
  /// Throws Error if the state is not one of graphs with this many attributes.
  void load(const StateReader& state, std::size_t attributes, std::size_t divisions);

 private:
  std::vector<double> means_, scales_;  ///< of each attribute
  std::vector<double> directions_;      ///< of length 1: those of a division adjacent
  std::vector<double> shifts_;          ///< of each division, as a share of a bin
};

}  // namespace semblance::graphs
