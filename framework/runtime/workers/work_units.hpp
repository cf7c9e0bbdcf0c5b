// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "runtime/session/session.hpp"

namespace semblance {

/// What one worker computes at a time: one artifact of the store.
struct WorkUnit {
  enum class What {
    state,  ///< what a node learns or reports
    rows    ///< its kept rows
  };
  What what = What::state;
  std::size_t node = 0;
};

/// The artifact's key.
std::string unit_key(const Session& session, const WorkUnit& unit);

/// The units that are still to be computed by somebody, as the plan has it.
std::vector<WorkUnit> pending_units(const Session& session);

/// Whether everything that the unit looks at is in hand or in the store.
bool is_available(const Session& session, const WorkUnit& unit);

/// Those that are available, in the order in which this worker tries them: first those for which
/// the most other work waits; then those whose inputs it has in hand; among equals each worker has
/// an order of its own, so that they do not all go for the same one.
std::vector<WorkUnit> available_units(const Session& session, const std::vector<WorkUnit>& pending,
                                      const std::string& worker);

/// Whether a report is made again in every run that needs it, since the store has nothing but
/// figures of it: then nobody has to wait for it.
bool made_again(const Session& session, std::size_t i);

/// Whether node i's rows are read from where they are kept, not computed when they are wanted.
bool reads_kept(const Session& session, std::size_t i);

/// Whether learning looks at rows of the node's inputs.
bool looks_at_rows(const Node& node);

}  // namespace semblance
