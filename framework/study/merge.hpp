// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "study/study.hpp"

namespace semblance {

/// All variants of a study as one graph, in which equal nodes exist once.
struct MergedStudy {
  /// Nodes that only some variants have are called NODE[ALTERNATIVES that set them apart].
  Pipeline pipeline;
  /// Of each variant, the place of each of its nodes in `pipeline`, and behind them of those that
  /// score held-out rows for its calibrators; empty: it was left out.
  std::vector<std::vector<std::size_t>> places;
  std::size_t nodes_before = 0;  ///< of the variants that were taken, unshared
};

/// Merges the variants for which `taken` is set. Nodes of different variants are equal when
/// component, parameters, inputs, the names that the component is shown and, where the component is
/// random, the seed are. The order is that of the variants, so
/// that it stays topological and the first variant can finish first.
MergedStudy merge(const Study& study, const std::vector<char>& taken, const Catalogue& catalogue);

}  // namespace semblance
