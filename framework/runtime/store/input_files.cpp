// SPDX-License-Identifier: MIT
#include "runtime/store/input_files.hpp"

#include "semblance/error.hpp"
#include "support/files/hash.hpp"

namespace semblance {
void InputFiles::note(std::span<const std::string> files) {
  const std::lock_guard lock(mutex_);
  for (const std::string& file : files)
    if (Noted& noted = files_[file]; !noted.state.there) noted.state = file_state(file);
}

std::string InputFiles::checksum(const std::string& file) {
  note({&file, 1});
  const std::lock_guard lock(mutex_);
  Noted& noted = files_.at(file);
  if (noted.checksum.empty()) {
    std::string found = hash_of_file(file);
    check(file, noted);
    noted.checksum = std::move(found);
  }
  return noted.checksum;
}

void InputFiles::check(std::span<const std::string> files) {
  const std::lock_guard lock(mutex_);
  for (const std::string& file : files)
    if (const auto found = files_.find(file); found != files_.end()) check(file, found->second);
}

void InputFiles::check(const std::string& file, Noted& noted) const {
  const FileState now = file_state(file);
  if (now == noted.state) return;
  // Some network file systems renumber inodes.
  const bool may_be_same =
      now.there && now.bytes == noted.state.bytes && now.written == noted.state.written;
  const bool same = noted.checksum.empty() ? only_touched(noted.state, now)
                                           : may_be_same && hash_of_file(file) == noted.checksum;
  if (same) {
    noted.state = now;
    return;
  }
  throw Error("'" + file + "' was " + (now.there ? "changed" : "removed") +
              " while the run read it; start again when its files stay as they are");
}

std::vector<std::pair<std::string, std::string>> InputFiles::checksums() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> known;
  for (const auto& [file, noted] : files_)
    if (!noted.checksum.empty()) known.emplace_back(file, noted.checksum);
  return known;
}

}  // namespace semblance
