// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "study/study.hpp"

namespace semblance {

/// All variants of a study as one graph, in which equal nodes exist once.
struct MergedStudy {
  /// Nodes that only some variants have are named NODE[ALTERNATIVES that distinguish them].
  Pipeline pipeline;
  /// For each variant, the positions of its nodes in `pipeline`, followed by those of the nodes
  /// that score held-out samples for its calibrators; empty: the variant was excluded.
  std::vector<std::vector<std::size_t>> places;
  std::size_t nodes_before = 0;  ///< total of the merged variants, unshared
  /// The same in words, for people: "svm, rbf, C = 10, fold 2 of 5"; only of nodes that are not
  /// shared by all variants.
  std::map<std::string, std::string> words;
};

/// Merges the variants for which `taken` is set. Nodes of different variants are equal when
/// component, parameters, inputs, the names that the component sees and, where the component is
/// random, the seed are equal. Nodes follow the order of the variants, so that the order stays
/// topological and the first variant can finish first.
MergedStudy merge(const Study& study, const std::vector<char>& taken, const Catalogue& catalogue);

}  // namespace semblance
