// SPDX-License-Identifier: MIT
#include "text/line_reader.hpp"

#include <cstring>

#include "semblance/error.hpp"

namespace semblance::sources {
namespace {
constexpr std::size_t first_buffer = std::size_t{1} << 18;
constexpr std::size_t longest_line = std::size_t{64} << 20;
}  // namespace

LineReader::LineReader(const std::string& path, std::uint64_t most)
    : bytes_(path), most_(most), buffer_(first_buffer) {}

/// Moves the remaining bytes to the front and reads more; false at the end.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (end_ >= longest_line)
      throw DataError(path(), "line " + std::to_string(number_ + 1),
                      "is longer than 64 MiB; this does not look like a text file");
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = read_utf8({buffer_.data() + end_, buffer_.size() - end_});
  end_ += got;
  if (bytes_.position() > most_)
    throw DataError(
        path(), "",
        "holds more than " + std::to_string(most_ >> 20) +
            " MiB of text, far more than such a file needs; check that it is the right file");
  return got > 0;
}

/// The first call looks whether the file is UTF-16.
std::size_t LineReader::read_utf8(std::span<unsigned char> out) {
  if (utf16_) return utf16_->read(out);
  const std::size_t got = bytes_.read(out);
  if (begun_) return got;
  begun_ = true;
  const auto order = Utf16Reader::order_of(out.first(got));
  if (!order) return got;
  utf16_ = std::make_unique<Utf16Reader>(bytes_, *order, out.first(got));
  return utf16_->read(out);
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  const unsigned char* newline = nullptr;
  do {
    const unsigned char* from = buffer_.data() + begin_;
    newline = static_cast<const unsigned char*>(
        std::memchr(from + searched, '\n', end_ - begin_ - searched));
    searched = end_ - begin_;
  } while (!newline && fill());
  const unsigned char* from = buffer_.data() + begin_;
  if (!newline && begin_ == end_) return false;
  const std::size_t length = newline ? std::size_t(newline - from) : end_ - begin_;
  begin_ += length + (newline ? 1 : 0);
  ++number_;
  line = {reinterpret_cast<const char*>(from), length};
  while (line.ends_with('\r')) line.remove_suffix(1);  // two, where LF became CRLF twice
  // Programs that add a mark to a file that has one leave two.
  while (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (std::memchr(line.data(), '\0', line.size()))
    throw DataError(path(), place(), "holds a NUL byte; this is not a text file");
  if (std::memchr(line.data(), '\r', line.size()))
    throw DataError(
        path(), place(),
        "holds a carriage return (CR) before its end; save the file with LF or CRLF line ends");
  return true;
}

}  // namespace semblance::sources
