// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>

#include "support/files/owned_file.hpp"

namespace semblance {

/// A file that appears under its name completely or not at all: it is written next to the target
/// under another name, and renamed by commit(). Without a commit() the target is unchanged and no
/// other file remains. If the process is killed, the next process that writes into the folder
/// cleans up. All members throw Error with the path and the system's reason.
class AtomicFile {
 public:
  /// Opens the file next to `target`; the folder must exist.
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// Puts the file in the target's place. With `sync` it survives a power failure, not only the end
  /// of the process; omit that for large files that are verified when read.
  void commit(bool sync = true);

 private:
  [[noreturn]] void fail(const char* what, int code) const;

  std::filesystem::path target_;
  std::optional<OwnedFile> temporary_;  ///< the unfinished file next to the target
};

/// Writes a whole small file atomically.
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

/// Removes what killed processes left in a folder: unfinished files whose owners are gone.
void remove_abandoned_files(const std::filesystem::path& folder) noexcept;

}  // namespace semblance
