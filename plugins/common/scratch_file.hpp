// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>

namespace semblance::common {

/// Growing memory backed by an unnamed file, which is deleted with this object. Dropped pages leave
/// memory and are read again from the file on access. All functions throw Error naming the folder
/// and the reason. A full disk is noticed while growing, not while writing.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& folder);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Grows to a larger size; the data may move. New bytes are 0.
  void grow(std::size_t bytes);
  /// Drops the pages that hold these bytes, but not the last, if more follows in it: blocks of
  /// bytes one after the other drop all, however small they are.
  void drop_pages(std::size_t first, std::size_t end) const noexcept;
  void drop_pages() const noexcept { drop_pages(0, bytes_); }

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace semblance::common
