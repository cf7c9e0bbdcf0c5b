// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace semblance {

/// A new folder of this process in the system's temporary folder, removed with the object.
class TemporaryFolder {
 public:
  /// Throws Error where it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace semblance
