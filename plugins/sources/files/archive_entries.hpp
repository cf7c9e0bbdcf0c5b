// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct archive;

namespace semblance::sources {

/// Whether a file holds what macOS notes about another one: __MACOSX/... and ._NAME.
bool is_of_macos(std::string_view path);

/// The files of an archive (.tar, also compressed, or .zip), one after the other, in its own order,
/// without those of macOS.
class ArchiveEntries {
 public:
  enum class Kind { file, folder, link, special };

  /// Throws DataError if the file is no archive.
  explicit ArchiveEntries(std::string path);
  ~ArchiveEntries();
  ArchiveEntries(const ArchiveEntries&) = delete;
  ArchiveEntries& operator=(const ArchiveEntries&) = delete;

  /// Goes to the next entry; false at the end. Throws DataError if the archive is damaged.
  bool next();
  /// The path inside the archive, with /.
  const std::string& name() const noexcept { return name_; }
  Kind kind() const noexcept { return kind_; }

  /// Replaces `bytes` with those of the file. False if there are more than `most`.
  bool read(std::uint64_t most, std::vector<std::uint8_t>& bytes);

 private:
  bool next_entry();
  std::string message() const;
  void check_end() const;

  std::string path_;
  std::string name_;
  Kind kind_ = Kind::file;
  archive* archive_;
};

}  // namespace semblance::sources
