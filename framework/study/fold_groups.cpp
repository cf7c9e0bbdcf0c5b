// SPDX-License-Identifier: MIT
#include "study/fold_groups.hpp"

#include "pipeline/graph.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

void check_fold_groups(const StudySpecification& specification, const Pipeline& pipeline,
                       const Catalogue& catalogue, Problems& problems) {
  if (specification.folds_by == FoldsBy::row) return;
  const bool by_group = specification.folds_by == FoldsBy::group;
  if (!by_group && !specification.leave_one_out) return;
  for (const PipelineNode& node : pipeline.nodes) {
    if (!node.inputs.empty()) continue;
    const bool grouped = gives_groups(node.component, catalogue);
    if (by_group && !grouped)
      problems.error(
          specification.folds_place,
          "'folds' are by group, but the rows of " + quote(node.name) + " have no groups",
          no_groups_help(node.name));
    else if (grouped && specification.leave_one_out)
      problems.error(specification.folds_place,
                     "rows of " + quote(node.name) +
                         " have groups, and leave_one_out leaves out one row at a time, so that "
                         "others of its group would classify it",
                     "set folds: {count: 10, by: group}, or {count: leave_one_out, by: row} to "
                     "ignore the groups");
  }
}

}  // namespace semblance
