// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "runtime/workers/work_units.hpp"

namespace semblance {

/// An artifact that was there is damaged or gone: the session that relied on it has to be opened
/// anew.
class ArtifactLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Brings what an available unit looks at into the session, each artifact verified. Throws
/// ArtifactLost, or what a component throws.
void bring_for(Session& session, const WorkUnit& unit);

}  // namespace semblance
