// SPDX-License-Identifier: MIT
#include "pipeline/node_identity.hpp"

#include <algorithm>

namespace semblance {
namespace {

bool is_random(const ComponentConfig& config, const Catalogue& catalogue) {
  const auto* entry = catalogue.find(config.id);
  return (entry && entry->info.random) || std::ranges::any_of(config.parts, [&](const auto& part) {
           return is_random(part.component, catalogue);
         });
}

/// The version of the rule that splits samples into folds: incremented when the same seed gives
/// another split.
constexpr int fold_rule = 2;

nlohmann::json fold_identity(const Fold& fold) {
  if (fold.each_row) return "each row";
  nlohmann::json identity = {fold.index, fold.count, fold.seed, fold_rule};
  if (fold.by_row) identity.push_back("by row");
  return identity;
}

}  // namespace

nlohmann::json node_identity(const PipelineNode& node, const Catalogue& catalogue,
                             PathValues paths) {
  nlohmann::json identity;
  identity["component"] = canonical_json(node.component, catalogue, paths);
  if (is_random(node.component, catalogue)) identity["seed"] = node.seed;
  if (node.scores_left_out) identity["scores"] = "left out";
  if (const Fold& fold = node.fold; fold.count > 0) {
    identity["fold"] = fold_identity(fold);
    if (node.held_out && !node.needs_classes) identity["fold"].push_back("any class");
    for (const Fold& outer : fold.within) identity["within"].push_back(fold_identity(outer));
  }
  return identity;
}

std::string data_identity(const PipelineNode& source, const Catalogue& catalogue) {
  return canonical_json(source.component, catalogue).dump() + " seed " +
         std::to_string(source.seed);
}

}  // namespace semblance
