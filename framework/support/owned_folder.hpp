// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/owned_file.hpp"

namespace semblance {

/// A folder of this process alone, with a file beside it that tells whose it is and that its owner
/// lives. Gone with its content when destroyed; where a process was killed, the next
/// remove_abandoned_folders() clears up after it.
class OwnedFolder {
 public:
  /// `parent` must exist; the folder itself is made when first asked for. Throws Error.
  explicit OwnedFolder(const std::filesystem::path& parent);
  ~OwnedFolder();
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;

  /// A path inside that nobody else was given; the folder around it exists.
  std::filesystem::path new_path(const std::string& ending);

 private:
  std::optional<OwnedFile> mark_;
  std::filesystem::path folder_;
  pid_t process_;
};

/// Removes the folders in `parent` whose owners are gone, and files that an OwnedFile or AtomicFile
/// of theirs has left there.
void remove_abandoned_folders(const std::filesystem::path& parent) noexcept;

}  // namespace semblance
