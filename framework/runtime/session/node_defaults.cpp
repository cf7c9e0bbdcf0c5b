// SPDX-License-Identifier: MIT
// What a node does in a run unless its kind says otherwise.
#include "runtime/rows/joined_rows.hpp"
#include "runtime/session/session.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance {

void Node::compute(Session& session, std::size_t, const std::vector<MatrixView>& inputs,
                   MutableMatrixView out) const {
  NodeContext context = session.context(facts().index);
  if (inputs.size() == 1) return as<Transform>().apply(inputs[0], out, context);
  const FloatMatrix joined = joined_rows(inputs);
  as<Transform>().apply(joined.view(), out, context);
}

bool Node::needs_state(const Session& session) const {
  if (!facts().has_state()) return false;
  const NodePlan& plan = session.plan(facts().index);
  return (session.purpose().keeps_states && !facts().spec->held_out) || plan.probed ||
         (plan.used() && plan.rows != RowsPlan::stored);
}

void Node::load(Session& session, const std::filesystem::path& folder) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    NodeContext context = session.context(facts().index);
    as<Transform>(p).load(StateFolderReader(part_folder(folder, p), values_learned()), context);
  }
}

}  // namespace semblance
