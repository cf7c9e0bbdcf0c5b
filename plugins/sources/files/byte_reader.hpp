// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace semblance::sources {

/// A file as a stream of bytes; .gz, .xz, .bz2 and .zst are decompressed, recognised by content,
/// not by name. Throws DataError for all failures.
class ByteReader {
 public:
  explicit ByteReader(const std::string& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  /// Reads up to out.size() bytes and returns their number: fewer only at the end of the file.
  std::size_t read(std::span<unsigned char> out);

  /// Fills `out`; if the file ends earlier, throws DataError that calls the missing part `what`.
  void read_exactly(std::span<unsigned char> out, const std::string& what);

  /// Throws DataError unless the file ends here.
  void expect_end(const std::string& after);

  /// The size of the whole file if it is not compressed, for checking the claims of its header.
  /// Nothing if it is unknown before reading.
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

/// Appends up to `count` bytes to `out`, which grows as data arrive, never by more than the file
/// has; a small one has no spare capacity. Returns the number of bytes.
std::size_t append_bytes(ByteReader& reader, std::uint64_t count, std::vector<unsigned char>& out);

/// `path` if it exists, else the same name followed by .gz, .xz, .bz2 or .zst if that exists, else
/// `path`, for the message that it is missing.
std::string find_data_file(const std::string& path);

/// Whether a file's name, without that of its compression, has one of these endings, in lower case.
bool has_ending(const std::string& file, std::initializer_list<const char*> endings);

bool is_folder(const std::string& path);

}  // namespace semblance::sources
