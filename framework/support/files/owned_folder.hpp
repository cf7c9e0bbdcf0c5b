// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/files/owned_file.hpp"

namespace semblance {

/// A folder of this process alone, with a file next to it that identifies the owner and shows that
/// it lives. It is removed with its content when destroyed; if the process is killed, the next
/// remove_abandoned_folders() cleans up.
class OwnedFolder {
 public:
  /// `parent` must exist; the folder itself is made on first use. Throws Error.
  explicit OwnedFolder(const std::filesystem::path& parent);
  ~OwnedFolder();
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;

  /// A new unique path inside; the folder around it exists.
  std::filesystem::path new_path(const std::string& ending);

 private:
  std::optional<OwnedFile> mark_;
  std::filesystem::path folder_;
  pid_t process_;
};

/// Removes the folders in `parent` whose owners are gone, and files that an OwnedFile or AtomicFile
/// of these owners has left there.
void remove_abandoned_folders(const std::filesystem::path& parent) noexcept;

}  // namespace semblance
