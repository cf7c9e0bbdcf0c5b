// SPDX-License-Identifier: MIT
#include "runtime/graph/compilation.hpp"

#include "semblance/error.hpp"

namespace semblance {

const Layout& KnownShapes::output_of(const std::string& node) const {
  const auto found = outputs.find(node);
  if (found == outputs.end()) throw Error("the model has no node with this name");
  return found->second;
}

void KnownShapes::apply_to(Source& source, const std::string& node) const {
  const auto found = changed.find(node);
  const auto layout = outputs.find(node);
  if (found == changed.end() || layout == outputs.end()) return;
  NewData data;
  data.path = found->second.path;
  data.given = found->second.given;
  data.layout = layout->second;
  if (const auto at = classes.find(node); at != classes.end()) data.classes = at->second;
  if (const auto at = targets.find(node); at != targets.end()) data.targets = at->second;
  if (const auto at = columns.find(node); at != columns.end()) data.columns = at->second;
  source.apply_model(data);
}

}  // namespace semblance
