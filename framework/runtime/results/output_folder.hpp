// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/services/run_options.hpp"
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

/// A run's results on their way into the output folder, which holds one run whole. Where an earlier
/// run has been, its results stay until this one's are there: they are made in the folder
/// `unfinished` inside, and then moved into the place of the others, but for those of a run that
/// was stopped where the earlier one had finished. Whatever else is in the folder stays.
class OutputFolder {
 public:
  /// Makes the folder, which is this run's while the object lives. Throws Error, also where another
  /// run is writing into it, or workers are. Where one of another machine has left its lease
  /// behind, waits until nothing has moved in it for long enough. Where others share the folder
  /// (options.shared), or only what they have computed is collected, whoever writes must have seen
  /// to it that nobody else does.
  explicit OutputFolder(const RunOptions& options);

  /// Where the run writes.
  const std::filesystem::path& place() const noexcept { return place_; }

  /// The run is over, and all is written. Results that are not finished take nobody's place but
  /// that of others that are not. Returns the folder where they are now.
  std::filesystem::path settle(bool finished);

 private:
  void replace() const;

  std::filesystem::path out_;
  std::filesystem::path place_;
  std::unique_ptr<FolderClaim> claim_;
};

/// Settles it, and tells where the results of a run are that was stopped. Returns the folder.
std::filesystem::path settled(OutputFolder& folder, bool finished, const RunOptions& options);

/// The predictions of one model on their way into a folder: they are made in its folder
/// `unfinished`, and take the place of those that were there.
class PredictionsFolder {
 public:
  /// As OutputFolder.
  explicit PredictionsFolder(std::filesystem::path out);
  /// What was not settled is of no use.
  ~PredictionsFolder();
  PredictionsFolder(const PredictionsFolder&) = delete;
  PredictionsFolder& operator=(const PredictionsFolder&) = delete;
  const std::filesystem::path& place() const noexcept { return place_; }
  /// Moves what was made into place, and removes the predictions of former models. Changes `files`
  /// accordingly.
  void settle(std::vector<std::filesystem::path>& files) const;

 private:
  std::filesystem::path out_;
  std::filesystem::path place_;
  std::unique_ptr<FolderClaim> claim_;
};

/// Makes a folder for results; throws Error.
void make_output_folder(const std::filesystem::path& folder);

/// Throws Error where a run is known to write into the folder just now.
void refuse_where_run_writes(const std::filesystem::path& folder);

}  // namespace semblance
