// SPDX-License-Identifier: MIT
#include "runtime/session/run_progress.hpp"

namespace semblance {

bool Node::needs_state(const RunProgress& progress) const {
  if (!facts().has_state()) return false;
  const NodePlan& plan = progress.plan(facts().index);
  return (progress.purpose().keeps_states && !facts().spec->held_out) || plan.probed ||
         (plan.used() && plan.rows != RowsPlan::stored);
}

}  // namespace semblance
