// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace semblance {

/// A new folder of this process alone among the system's temporary ones, gone with the object.
class TemporaryFolder {
 public:
  /// Throws Error where there is no room for one.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace semblance
