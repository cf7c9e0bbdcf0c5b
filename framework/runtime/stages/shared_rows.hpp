// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "runtime/session/run_data.hpp"
#include "runtime/store/artifact_index.hpp"

namespace semblance {

/// Makes room in the store for rows `span` of node i, which all ranks fill, each with its own. The
/// first rank has the draft. Collective.
void make_shared_room(RunProgress& progress, RunData& data, std::size_t i, RowSpan span,
                      const RowSizes& sizes);

/// Called when all ranks have filled shared rows: flushes them to the file, and gives the
/// first rank the checksums of all parts, each computed by the rank that wrote the part.
/// Collective.
KnownChecksums finish_shared_rows(Ranks& ranks, const KeptRows& rows);

}  // namespace semblance
