// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "runtime/session.hpp"
#include "support/file_lock.hpp"

namespace semblance {

/// Makes the folder for what a run leaves behind, which is this run's while the lock lives: two at
/// once would mix their results. Throws Error, also where another run is writing into it. No lock
/// where the file system knows none.
std::optional<FileLock> claim_output_folder(const std::filesystem::path& folder);

/// The same of options.out; of what is shared it is only made.
std::optional<FileLock> claim_output_folder(const RunOptions& options);

/// Makes a folder below that; throws Error.
void make_output_folder(const std::filesystem::path& folder);

/// Fills the session's record from its nodes: figures, times, memory.
void complete_record(Session& session);

/// Writes the scores of a solver, if it has any, below `folder` as NAME.csv and NAME.npy.
void write_scores(const Session& session, std::size_t solver, const std::filesystem::path& folder,
                  const std::string& name);

}  // namespace semblance
