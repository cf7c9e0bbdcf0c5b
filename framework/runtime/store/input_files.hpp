// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/files/file_state.hpp"

namespace semblance {

/// The files that the components of a run read, and their content. Keys contain checksums of that
/// content, so results must be computed from exactly that content: a file is recorded before
/// anything is read from it, and its reader checks afterwards whether it is unchanged. Thread-safe.
class InputFiles {
 public:
  /// Records the state of these files; files that were recorded before retain their first state.
  void note(std::span<const std::string> files);

  /// The checksum of a file's content, read once. Throws Error naming the file, also where it
  /// differs from the one recorded.
  std::string checksum(const std::string& file);

  /// Throws Error naming a file that was replaced or written since it was recorded.
  void check(std::span<const std::string> files);

  /// The known checksums, by file.
  std::vector<std::pair<std::string, std::string>> checksums() const;

 private:
  struct Noted {
    FileState state;
    std::string checksum;  ///< empty: not requested
  };
  void check(const std::string& file, Noted& noted) const;

  mutable std::mutex mutex_;
  std::map<std::string, Noted> files_;
};

}  // namespace semblance
