// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>

namespace semblance {

/// Memory that is a file without a name, gone with this object; it grows. Pages that are dropped
/// leave memory and come back from the file when they are touched. All functions throw Error that
/// names the folder and the reason; a full disk is noticed while growing, not while writing.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& folder);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// To more bytes than there are; they may move. New ones are 0.
  void grow(std::size_t bytes);
  void drop_pages() const noexcept;

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace semblance
