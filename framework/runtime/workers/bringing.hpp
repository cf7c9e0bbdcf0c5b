// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "runtime/workers/work_units.hpp"

namespace semblance {

/// An artifact is damaged or gone: the session that relied on it must be opened anew.
class ArtifactLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads what an available unit needs into the session, each artifact verified. Throws
/// ArtifactLost, or what a component throws.
void bring_for(RunProgress& progress, RunData& data, const WorkUnit& unit);

}  // namespace semblance
