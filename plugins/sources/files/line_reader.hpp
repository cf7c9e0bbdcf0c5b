// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/byte_reader.hpp"

namespace semblance::sources {

class Utf16Reader;

/// The lines of a text file, without their LF, CRLF or, in a file whose beginning has no LF, CR,
/// and without byte order marks; UTF-16 that begins with such a mark becomes UTF-8. Throws
/// DataError if a file is not text (a NUL byte, a CR within a line, or a line of more than 64 MiB)
/// or has more than `most` bytes after decompression.
class LineReader {
 public:
  explicit LineReader(const std::string& path,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  ~LineReader();

  /// False at the end. `line` is valid until the next call.
  bool next(std::string_view& line);

  /// The number of the last line returned by next(), from 1.
  std::size_t number() const noexcept { return number_; }
  /// "line 12", for messages.
  std::string place() const { return "line " + std::to_string(number_); }
  const std::string& path() const noexcept { return bytes_.path(); }

 private:
  bool fill();
  char find_line_end();
  std::size_t read_utf8(std::span<unsigned char> out);

  ByteReader bytes_;
  std::unique_ptr<Utf16Reader> utf16_;  ///< where the file is UTF-16
  bool begun_ = false;
  char line_end_ = 0;  ///< LF, or CR as old spreadsheets write it; 0: not known
  std::uint64_t most_;
  std::vector<unsigned char> buffer_;
  std::size_t begin_ = 0;  ///< of the remaining text
  std::size_t end_ = 0;
  std::size_t number_ = 0;
};

}  // namespace semblance::sources
