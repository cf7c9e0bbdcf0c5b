// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace semblance {

/// An advisory lock on a file or folder, given back when it is destroyed or its process ends,
/// however that ends. It belongs to the open file (flock), so that two of one process exclude each
/// other as well, and processes of different containers do. Move-only.
///
/// On a shared file system there may be none, or it may say nothing to other machines: what has to
/// be right must be right without it.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  /// Waits for it; makes the file where it is missing. Throws Error with the path and the reason.
  static FileLock wait(const std::filesystem::path& file, Kind kind);

  /// Nothing when somebody else has it, or the file system has no locks: `problem` then tells
  /// which, EWOULDBLOCK or another number of the system. Makes the file where it is missing. Throws
  /// Error where that cannot be done.
  static std::optional<FileLock> attempt(const std::filesystem::path& file, Kind kind,
                                         int* problem = nullptr);

  /// The same, exclusive, for what exists: a folder, or a file that is not to be made. Nothing as
  /// well where it is gone or cannot be opened.
  static std::optional<FileLock> attempt_existing(const std::filesystem::path& path,
                                                  int* problem = nullptr) noexcept;

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Why files in a folder cannot be locked by fcntl(), which data bases need; empty where they can,
/// or where no file can be made there to try it with.
std::string record_lock_problem(const std::filesystem::path& folder);

}  // namespace semblance
