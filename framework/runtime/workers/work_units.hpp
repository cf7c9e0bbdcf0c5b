// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "runtime/session/run_progress.hpp"

namespace semblance {

/// A unit of one worker's work: one artifact of the store.
struct WorkUnit {
  enum class What {
    state,  ///< what a node learns or reports
    rows    ///< its retained rows
  };
  What what = What::state;
  std::size_t node = 0;
};

/// The artifact's key.
std::string unit_key(const Compilation& graph, const WorkUnit& unit);

/// The units that remain to be computed by any worker, according to the plan.
std::vector<WorkUnit> pending_units(const RunProgress& progress);

/// Whether everything that the unit needs is loaded or in the store.
bool is_available(const RunProgress& progress, const WorkUnit& unit);

/// The available units, in the order in which this worker tries them: first those for which the
/// most other work waits, then those whose inputs are loaded. Each worker has its own order among
/// equals, so that they do not all try the same one.
std::vector<WorkUnit> available_units(const RunProgress& progress,
                                      const std::vector<WorkUnit>& pending,
                                      const std::string& worker);

/// Whether a report is made again in every run that needs it, since the store has only figures of
/// it: then no worker has to wait for it.
bool made_again(const RunProgress& progress, std::size_t i);

/// Whether node i's rows are read from where they are retained, not computed on request.
bool reads_kept(const RunProgress& progress, std::size_t i);

/// Whether learning looks at rows of the node's inputs.
bool looks_at_rows(const NodeFacts& node);

}  // namespace semblance
