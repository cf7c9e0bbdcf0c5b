// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/services/run_options.hpp"
#include "runtime/store/leases.hpp"
#include "support/files/file_lock.hpp"

namespace semblance {

/// A claim of a folder for one run: two runs that write into it at once would mix their results. It
/// holds a lock, and a lease as well, since other machines may not see the lock.
class FolderClaim {
 public:
  explicit FolderClaim(const std::filesystem::path& folder, LeaseTimes times = {});

 private:
  std::optional<FileLock> lock_;
  std::unique_ptr<Leases> leases_;
  std::unique_ptr<Lease> lease_;
};

/// A run's results on their way into the output folder, which holds one complete run. The results
/// of an earlier run stay until those of this run are complete: these are made in the subfolder
/// `unfinished` and then replace the earlier ones. The results of a stopped run do not replace
/// those of a finished one. Other files in the folder stay.
class OutputFolder {
 public:
  /// Makes the folder, which belongs to this run while the object lives. Throws Error, also where
  /// another run or workers are writing into it. Where a run on another machine has left its lease
  /// behind, waits until the lease has been silent for long enough. Where several workers share the
  /// folder (options.shared), or where their results are only collected, the caller must make sure
  /// that nothing else writes.
  explicit OutputFolder(const RunOptions& options);

  /// Where the run writes.
  const std::filesystem::path& place() const noexcept { return place_; }

  /// Called when the run is over and all is written. Unfinished results replace only other
  /// unfinished ones. Returns the folder of the results.
  std::filesystem::path settle(bool finished);

 private:
  void replace() const;

  std::filesystem::path out_;
  std::filesystem::path place_;
  std::unique_ptr<FolderClaim> claim_;
};

/// Settles the folder, and logs where the results of a stopped run are. Returns that folder.
std::filesystem::path settled(OutputFolder& folder, bool finished, const RunOptions& options);

/// The predictions of one model on their way into a folder: they are made in its subfolder
/// `unfinished` and then replace earlier ones.
class PredictionsFolder {
 public:
  /// As OutputFolder.
  explicit PredictionsFolder(std::filesystem::path out);
  /// Removes predictions that were not settled: they are of no use.
  ~PredictionsFolder();
  PredictionsFolder(const PredictionsFolder&) = delete;
  PredictionsFolder& operator=(const PredictionsFolder&) = delete;
  const std::filesystem::path& place() const noexcept { return place_; }
  /// Moves the new files into place, and removes the predictions of former models. Updates `files`
  /// accordingly.
  void settle(std::vector<std::filesystem::path>& files) const;

 private:
  std::filesystem::path out_;
  std::filesystem::path place_;
  std::unique_ptr<FolderClaim> claim_;
};

/// Makes a folder for results; throws Error.
void make_output_folder(const std::filesystem::path& folder);

/// Throws Error where a run is known to be writing into the folder.
void refuse_where_run_writes(const std::filesystem::path& folder);

}  // namespace semblance
