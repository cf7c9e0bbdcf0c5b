// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace semblance {

/// An advisory lock on a file or folder, given back when it is destroyed or its process ends,
/// however that ends. It belongs to the open file (flock), so that two of one process exclude each
/// other as well, and processes of different containers do. Move-only.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  /// Waits for it; makes the file where it is missing. Throws Error with the path and the reason.
  static FileLock wait(const std::filesystem::path& file, Kind kind);

  /// Nothing when somebody else has it; makes the file where it is missing. Throws Error.
  static std::optional<FileLock> attempt(const std::filesystem::path& file, Kind kind);

  /// The same, exclusive, for what exists: a folder, or a file that is not to be made. Nothing as
  /// well where it is gone, cannot be opened or its file system knows no locks; `taken` tells
  /// whether it is that somebody else has it.
  static std::optional<FileLock> attempt_existing(const std::filesystem::path& path,
                                                  bool* taken = nullptr) noexcept;

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Whether the file still has a name: the one that this lock was taken by.
  bool named() const noexcept;

 private:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// A folder of this process alone: `parent`/PROCESS-NUMBER, with a locked file beside it by which
/// others see that its owner lives. Gone with its content when destroyed; where a process was
/// killed, the next remove_abandoned_folders() clears up after it.
class OwnedFolder {
 public:
  /// `parent` must exist; the folder itself is made when first asked for. Throws Error.
  explicit OwnedFolder(std::filesystem::path parent);
  ~OwnedFolder();
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;

  /// A path inside that nobody else was given; the folder around it exists.
  std::filesystem::path new_path(const std::string& ending);

 private:
  std::filesystem::path folder_;
  std::optional<FileLock> lock_;
};

/// Removes the folders in `parent` whose owners are gone.
void remove_abandoned_folders(const std::filesystem::path& parent) noexcept;

}  // namespace semblance
