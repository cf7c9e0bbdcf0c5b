// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

namespace semblance {

/// Which file a path leads to, and when it last changed: its place on the disk, its size, and the
/// times of its content and of its inode. A file that is replaced or written has another state,
/// whatever its size and its time of change say.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t written = 0;  ///< nanoseconds
  std::int64_t changed = 0;  ///< nanoseconds, of the inode: links and permissions change it too
  bool there = false;

  friend bool operator==(const FileState&, const FileState&) = default;
};

/// Links are followed. A file that cannot be looked at is not there. A pipe or a device has neither
/// size nor times: nobody can read it twice.
FileState file_state(const std::filesystem::path& file) noexcept;

/// Nothing but the inode's own time differs: somebody made a link to it, or changed permissions.
inline bool only_touched(FileState before, const FileState& now) noexcept {
  before.changed = now.changed;
  return before == now;
}

}  // namespace semblance
