// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/file_state.hpp"

namespace semblance {

/// The files that the components of a run read, and what each of them contains. Keys are made of
/// checksums of their content, so what is computed from a file must be computed from that content:
/// a file is noted before anything is read of it, and whoever has read it asks afterwards whether
/// it is still the same. Thread-safe.
class InputFiles {
 public:
  /// Takes note of the files that are there now; those that are noted stay as they were.
  void note(std::span<const std::string> files);

  /// The checksum of a file's content, read once. Throws Error naming the file, also where it is
  /// not the one that was noted.
  std::string checksum(const std::string& file);

  /// Throws Error naming a file that was replaced or written since it was noted.
  void check(std::span<const std::string> files);

  /// The checksums that are known, by file.
  std::vector<std::pair<std::string, std::string>> checksums() const;

 private:
  struct Noted {
    FileState state;
    std::string checksum;  ///< empty: not asked for
  };
  void check(const std::string& file, Noted& noted) const;

  mutable std::mutex mutex_;
  std::map<std::string, Noted> files_;
};

}  // namespace semblance
