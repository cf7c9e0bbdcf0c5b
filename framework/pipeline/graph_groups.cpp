// SPDX-License-Identifier: MIT
#include "pipeline/graph.hpp"
#include "pipeline/held_out.hpp"
#include "semblance/source.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

bool gives_groups(const ComponentConfig& source, const Catalogue& catalogue) {
  const auto component = catalogue.create(source);
  const auto* made = dynamic_cast<const Source*>(component.get());
  return made && made->gives_groups();
}

void check_row_groups(const Specification& specification, const Catalogue& catalogue,
                      const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool by_group = folds_by(nodes[i].component.config) == FoldsBy::group;
    if (graph.inputs[i].empty() || !graph.origin[i] || !by_group) continue;
    const NodeSpecification& source = nodes[*graph.origin[i]];
    if (!gives_groups(source.component.config, catalogue))
      problems.error(nodes[i].place,
                     quote(nodes[i].name) + " makes folds by group, but the rows of " +
                         quote(source.name) + " have no groups",
                     no_groups_help(source.name));
  }
}

std::string no_groups_help(const std::string& source) {
  return "name what says which rows belong together in 'groups' of " + quote(source) +
         ", or make folds by row";
}

}  // namespace semblance
