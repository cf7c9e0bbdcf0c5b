// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/ranks/ranks.hpp"
#include "runtime/store/artifact_store.hpp"

namespace semblance {

/// Whether all ranks see the first rank's store: they look for a file that it makes there.
/// Collective.
bool all_see_store(Ranks& ranks, const ArtifactStore& store);

}  // namespace semblance
