// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "runtime/session/session.hpp"
#include "runtime/store/artifact_index.hpp"

namespace semblance {

/// Makes room in the store for rows `span` of node i, which all ranks fill, each with its own. The
/// first has the draft. Collective.
void make_shared_room(Session& session, std::size_t i, RowSpan span, const RowSizes& sizes);

/// All ranks have filled the rows of node i: what is on its way goes to the file, and the first
/// learns the checksums of all parts; each rank has computed its own, of what it wrote. Collective.
KnownChecksums finish_shared_rows(Session& session, std::size_t i);

}  // namespace semblance
