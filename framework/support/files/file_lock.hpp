// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

namespace semblance {

/// An advisory lock on a file or folder, released when it is destroyed or its process ends in any
/// way. It belongs to the open file (flock). So two locks of one process exclude each other as
/// well, and so do locks of processes in different containers. Move-only.
///
/// A shared file system may have no locks, or locks without effect on other machines: correctness
/// must not depend on them.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  /// Waits for the lock; makes the file if it is missing. Throws Error with the path and the
  /// reason.
  static FileLock wait(const std::filesystem::path& file, Kind kind);

  /// Nothing when the lock is taken, or the file system has no locks: `problem` is then EWOULDBLOCK
  /// or another error number. Makes the file if it is missing. Throws Error where that is
  /// impossible.
  static std::optional<FileLock> attempt(const std::filesystem::path& file, Kind kind,
                                         int* problem = nullptr);

  /// Takes an exclusive lock on an existing folder, or on a file that must not be made. Also
  /// returns nothing where it is gone or cannot be opened.
  static std::optional<FileLock> attempt_existing(const std::filesystem::path& path,
                                                  int* problem = nullptr) noexcept;

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace semblance
