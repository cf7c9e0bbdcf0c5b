// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/graph/compilation.hpp"
#include "semblance/class_weights.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

void check_weights_of(const Component& component, const std::vector<std::string>& classes,
                      const std::string& source) {
  const auto* weights = dynamic_cast<const ClassWeights*>(&component);
  if (!weights) return;
  for (const std::string& name : weights->weighted_classes()) {
    if (std::ranges::find(classes, name) != classes.end()) continue;
    if (const std::string meant = did_you_mean(name, classes); !meant.empty())
      throw Error("'class_weights' names the class '" + name + "', which '" + source +
                  "' does not have; " + meant);
  }
  weights->check_classes(classes);
}

void check_parts(const ComponentConfig& config, const std::vector<std::string>& classes,
                 const std::string& source, const Catalogue& catalogue) {
  for (const auto& [parameter, part] : config.parts) {
    check_weights_of(*catalogue.create(part), classes, source);
    check_parts(part, classes, source, catalogue);
  }
}

}  // namespace

void check_weighted_classes(const Node& node, const std::string& source,
                            const Catalogue& catalogue) {
  const std::vector<std::string>& classes = node.facts().outline->classes;
  if (classes.empty()) return;
  for (const auto& part : node.parts) check_weights_of(*part, classes, source);
  if (node.facts().spec->info().kind() == "solver")
    check_parts(node.facts().spec->component, classes, source, catalogue);
}

}  // namespace semblance
