// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace semblance {

/// Memory from the kernel: anonymous, or a file's pages. Move-only. All functions throw Error that
/// names the file and the reason. A full disk is detected when a file is made, not while writing.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  static Mapping anonymous(std::size_t bytes);
  /// A new file of that size, writable.
  static Mapping create(const std::filesystem::path& file, std::size_t bytes);
  /// An existing file of that size, writable: other processes fill it as well. Throws Error for
  /// another size.
  static Mapping join(const std::filesystem::path& file, std::size_t bytes);
  /// Some bytes of a file: [first, second).
  using Piece = std::pair<std::size_t, std::size_t>;
  /// A file without a name in `folder`, which is removed with the mapping.
  static Mapping temporary(const std::filesystem::path& folder, std::size_t bytes);
  /// The same where only these pieces will be written: only they take room on disk.
  static Mapping temporary(const std::filesystem::path& folder, std::size_t bytes,
                           const std::vector<Piece>& pieces);
  /// An existing file, read-only.
  static Mapping open(const std::filesystem::path& file);

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool backed_by_file() const noexcept { return file_; }

  /// Releases the pages inside the range; on access their content is read from the file again. Does
  /// nothing for anonymous memory, whose content would be lost.
  void drop(std::size_t offset, std::size_t bytes) const noexcept;

  /// Makes the page with this byte private to this process: writes to it do not reach the file.
  void keep_apart(std::size_t offset);
  static std::size_t page_bytes() noexcept;

 private:
  static Mapping of_descriptor(int descriptor, std::size_t bytes, bool writable,
                               const std::filesystem::path& file);
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  bool file_ = false;
  std::vector<std::size_t> apart_;  ///< starts of private pages
};

}  // namespace semblance
