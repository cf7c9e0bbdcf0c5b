// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

namespace semblance {

/// The identity of a file and its last change: its location on disk, its size, and the times of its
/// content and of its inode. A file that is replaced or written has another state, even with the
/// same size and modification time.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t written = 0;  ///< nanoseconds
  std::int64_t changed = 0;  ///< nanoseconds, of the inode: links and permissions change it too
  bool there = false;

  friend bool operator==(const FileState&, const FileState&) = default;
};

/// The state of a file, following links. An inaccessible file counts as missing. A pipe or a device
/// has neither size nor times: it cannot be read twice.
FileState file_state(const std::filesystem::path& file) noexcept;

/// Whether only the inode's time differs: the file was linked, or its permissions changed.
inline bool only_touched(FileState before, const FileState& now) noexcept {
  before.changed = now.changed;
  return before == now;
}

}  // namespace semblance
