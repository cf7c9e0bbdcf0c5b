// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>

#include "support/owned_file.hpp"

namespace semblance {

/// A file that appears under its name whole or not at all: it is written beside the target under
/// a name of its own and renamed over it by commit(). Without a commit() the target stays as it
/// was and nothing is left behind; where the process was killed, the next that writes into the
/// folder clears up after it. All members throw Error with the path and the system's reason.
class AtomicFile {
 public:
  /// Opens the file beside `target`; the folder must exist.
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// Puts the file in the target's place. With `sync` it survives a power failure, not only the
  /// end of the process; leave that out for large files that are verified when read.
  void commit(bool sync = true);

 private:
  [[noreturn]] void fail(const char* what, int code) const;

  std::filesystem::path target_;
  std::optional<OwnedFile> temporary_;  ///< the file in the making, beside the target
};

/// Writes a whole small file atomically.
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

/// Removes what killed processes left in a folder: files in the making whose owners are gone.
void remove_abandoned_files(const std::filesystem::path& folder) noexcept;

}  // namespace semblance
