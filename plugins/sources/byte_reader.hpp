// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace semblance {

/// A file as a stream of bytes; .gz, .xz, .bz2 and .zst are decompressed, known by their content
/// and not by their name. Throws DataError for everything that goes wrong.
class ByteReader {
 public:
  explicit ByteReader(const std::string& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  /// Reads up to out.size() bytes and returns their number: fewer only at the end of the file.
  std::size_t read(std::span<unsigned char> out);

  /// Fills `out`; throws DataError that calls the missing part `what` when the file ends before.
  void read_exactly(std::span<unsigned char> out, const std::string& what);

  /// Throws DataError unless the file ends here.
  void expect_end(const std::string& after);

  /// The size of the whole file where it is not compressed: what its header claims can be checked
  /// against it. Nothing where that is not known before it is read.
  std::optional<std::uint64_t> plain_size() const noexcept { return plain_size_; }

  /// Bytes read so far, decompressed.
  std::uint64_t position() const noexcept { return position_; }
  const std::string& path() const noexcept { return path_; }

 private:
  struct Archive;
  std::string path_;
  std::unique_ptr<Archive> archive_;
  std::optional<std::uint64_t> plain_size_;
  std::uint64_t position_ = 0;
  bool ended_ = false;
};

/// Appends up to `count` bytes to `out`, which grows as data arrive: never by more than what the
/// file holds, and a small one keeps no room to spare. Returns the number of bytes.
std::size_t append_bytes(ByteReader& reader, std::uint64_t count, std::vector<unsigned char>& out);

/// `path` where it exists, else the same name with .gz, .xz, .bz2 or .zst behind it where that
/// exists, else `path`, for the message that it is missing.
std::string find_data_file(const std::string& path);

}  // namespace semblance
