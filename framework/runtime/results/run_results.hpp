// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "runtime/session.hpp"
#include "runtime/store/leases.hpp"
#include "support/file_lock.hpp"

namespace semblance {

/// A folder that is one run's: two that write into it at once would mix their results. Not only by
/// a lock, which other machines may not see, but by a lease as well.
class FolderClaim {
 public:
  explicit FolderClaim(const std::filesystem::path& folder, LeaseTimes times = {});

 private:
  std::optional<FileLock> lock_;
  std::unique_ptr<Leases> leases_;
  std::unique_ptr<Lease> lease_;
};

/// Makes the folder for what a run leaves behind, which is this run's while the claim lives. Throws
/// Error, also where another run is writing into it. Where one of another machine has left its
/// lease behind, waits until nothing has moved in it for long enough.
std::unique_ptr<FolderClaim> claim_output_folder(const std::filesystem::path& folder);

/// The same of options.out; of what is shared it is only made.
std::unique_ptr<FolderClaim> claim_output_folder(const RunOptions& options);

/// Makes a folder below that; throws Error.
void make_output_folder(const std::filesystem::path& folder);

/// Fills the session's record from its nodes: figures, times, memory.
void complete_record(Session& session);

/// Writes the scores of a solver, if it has any, below `folder` as NAME.csv and NAME.npy.
void write_scores(const Session& session, std::size_t solver, const std::filesystem::path& folder,
                  const std::string& name);

}  // namespace semblance
