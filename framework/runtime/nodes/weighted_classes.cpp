// SPDX-License-Identifier: MIT
#include "runtime/nodes/weighted_classes.hpp"

#include <algorithm>

#include "semblance/class_weights.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

std::string first_classes(const std::vector<std::string>& classes) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t c = 0; c < std::min(most, classes.size()); ++c)
    text += (c > 0 ? ", '" : "'") + classes[c] + "'";
  return text + (classes.size() > most ? ", ..." : "");
}

void check_weights_of(const Component& component, const std::vector<std::string>& classes,
                      const std::string& source) {
  const auto* weights = dynamic_cast<const ClassWeights*>(&component);
  if (!weights) return;
  for (const std::string& name : weights->weighted_classes()) {
    if (std::ranges::find(classes, name) != classes.end()) continue;
    const std::string meant = did_you_mean(name, classes);
    throw Error("'class_weights' names the class '" + name + "', which '" + source +
                "' does not have; " +
                (meant.empty() ? "its classes are " + first_classes(classes) : meant));
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
  const std::vector<std::string>& classes = node.outline->classes;
  if (classes.empty()) return;
  for (const auto& part : node.parts) check_weights_of(*part, classes, source);
  if (node.spec->info().kind() == "solver")
    check_parts(node.spec->component, classes, source, catalogue);
}

}  // namespace semblance
