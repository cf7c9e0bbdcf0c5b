// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "support/files/heartbeat.hpp"

namespace semblance {

/// A new file whose name identifies its process, PREFIX IDENTITY-NUMBER ENDING, so that other
/// processes can recognize what a killed process left. It is also locked; where the file system has
/// no locks, the name says so: "IDENTITY-NUMBER-unlocked". Removed when destroyed.
class OwnedFile {
 public:
  /// Makes the file in an existing folder. Throws std::system_error with the reason.
  OwnedFile(const std::filesystem::path& folder, const std::string& prefix,
            const std::string& ending);
  ~OwnedFile();
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Open for writing; -1 once closed.
  int descriptor() const noexcept { return descriptor_; }

  /// Shows periodically that the owner lives, to processes that cannot see it otherwise: for files
  /// that stay unchanged for long.
  void keep_alive();

  /// Closes the file and leaves it to the caller. Returns 0 or an error number, such as that of a
  /// full disk, which some file systems report only here.
  int close() noexcept;

 private:
  /// False where another process has just taken the file for abandoned.
  bool lock(const std::string& unlocked_name);

  std::filesystem::path path_;
  int descriptor_ = -1;
  pid_t process_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

/// Decides which files and folders of one folder belong to processes that are gone. For a process
/// of this machine that is known. A process of another machine, or of a container, counts as gone
/// when its file is not locked and has not been touched for a day, by the clock of the file system.
class Abandoned {
 public:
  explicit Abandoned(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// `owner` is the part of the name that identifies the owner. A file with another name, made by
  /// an older or another program, is abandoned when it can be locked, or was not touched for a day.
  bool operator()(const std::filesystem::path& path, const std::string& owner);

 private:
  bool silent(const std::filesystem::path& path);

  std::filesystem::path folder_;
  std::optional<std::filesystem::file_time_type> now_;  ///< read on first use
  bool asked_ = false;
};

}  // namespace semblance
