// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "support/heartbeat.hpp"

namespace semblance {

/// A new file whose name tells which process it belongs to, PREFIX IDENTITY-NUMBER ENDING, so that
/// others see what a killed process left behind. It is locked as well, where the file system has
/// locks; where it has none the name says so: "IDENTITY-NUMBER-unlocked". Gone when destroyed.
class OwnedFile {
 public:
  /// Makes the file in a folder that exists. Throws std::system_error with the reason.
  OwnedFile(const std::filesystem::path& folder, const std::string& prefix,
            const std::string& ending);
  ~OwnedFile();
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Open for writing; -1 once closed.
  int descriptor() const noexcept { return descriptor_; }

  /// Shows now and then that the owner lives, for those who cannot know it otherwise: for files
  /// that stay unchanged for long.
  void keep_alive();

  /// Closes it, and leaves it to the caller. 0, or what the system says, as a full disk that some
  /// file systems report only here.
  int close() noexcept;

 private:
  /// False where somebody took the file for abandoned just before.
  bool lock(const std::string& unlocked_name);

  std::filesystem::path path_;
  int descriptor_ = -1;
  pid_t process_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

/// Tells which files and folders of one folder belong to processes that are gone. Of a process of
/// this machine that is known. One of another machine, or of a container, is taken for gone when
/// its file is not locked and nothing has touched it for a day, by the clock of the file system.
class Abandoned {
 public:
  explicit Abandoned(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// `owner` is the part of its name that tells the owner. What an older program or somebody else
  /// has made (another name) is abandoned when it can be locked, or was not touched for a day.
  bool operator()(const std::filesystem::path& path, const std::string& owner);

 private:
  bool silent(const std::filesystem::path& path);

  std::filesystem::path folder_;
  std::optional<std::filesystem::file_time_type> now_;  ///< asked for when first needed
  bool asked_ = false;
};

}  // namespace semblance
