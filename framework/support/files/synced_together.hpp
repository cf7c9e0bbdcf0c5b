// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace semblance {

/// While it lives, AtomicFile::commit() of this thread does not sync: waiting for each of thousands
/// of files takes longer than writing them. finish() syncs the file system of the folder, once for
/// all.
class SyncedTogether {
 public:
  explicit SyncedTogether(std::filesystem::path folder);
  SyncedTogether(const SyncedTogether&) = delete;
  SyncedTogether& operator=(const SyncedTogether&) = delete;
  ~SyncedTogether();

  /// Throws Error where something cannot be written to the disk.
  void finish();

  /// Whether one lives in this thread.
  static bool lives();

 private:
  std::filesystem::path folder_;
};

}  // namespace semblance
