// SPDX-License-Identifier: MIT
#include "files/line_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/byte_reader.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_lines.hpp"
#include "text/alphabet.hpp"

namespace semblance::sources {

/// A file of UTF-16, as spreadsheets write it, as UTF-8.
class Utf16Reader {
 public:
  enum class Order { little, big };

  /// The byte order given by the mark at the start of a file; nothing without a mark.
  static std::optional<Order> order_of(std::span<const unsigned char> start);

  /// `start`: the bytes read so far, including the mark.
  Utf16Reader(ByteReader& bytes, Order order, std::span<const unsigned char> start)
      : bytes_(bytes), order_(order), ahead_(start.begin() + 2, start.end()) {}

  /// Fills `out` up to the end of the file; returns the number of bytes. Throws DataError if it is
  /// not UTF-16.
  std::size_t read(std::span<unsigned char> out);

 private:
  void take_unit(std::uint32_t unit);
  [[noreturn]] void fail() const;

  ByteReader& bytes_;
  Order order_;
  std::vector<unsigned char> ahead_;  ///< read, and not converted yet
  std::string converted_;             ///< and not given yet
  std::uint32_t high_ = 0;            ///< the first half of a pair
};

std::optional<Utf16Reader::Order> Utf16Reader::order_of(std::span<const unsigned char> start) {
  if (start.size() < 2) return std::nullopt;
  if (start[0] == 0xff && start[1] == 0xfe) return Order::little;
  if (start[0] == 0xfe && start[1] == 0xff) return Order::big;
  return std::nullopt;
}

void Utf16Reader::fail() const {
  throw DataError(bytes_.path(), "", "begins as UTF-16 text, but is none; save the file as UTF-8");
}

void Utf16Reader::take_unit(std::uint32_t unit) {
  const bool low = unit >= 0xdc00 && unit < 0xe000;
  if (low != (high_ != 0)) fail();
  if (unit >= 0xd800 && unit < 0xdc00) {
    high_ = unit;
    return;
  }
  const std::uint32_t symbol = low ? 0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00) : unit;
  high_ = 0;
  for (const char byte : utf8(static_cast<char32_t>(symbol))) converted_ += byte;
}

std::size_t Utf16Reader::read(std::span<unsigned char> out) {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  while (converted_.size() < out.size()) {
    const std::size_t before = ahead_.size();
    ahead_.resize(before + at_once);
    const std::size_t got = bytes_.read(std::span(ahead_).subspan(before));
    ahead_.resize(before + got);
    if (got == 0 && ahead_.size() < 2) {
      if (!ahead_.empty() || high_ != 0) fail();
      break;
    }
    const std::size_t units = ahead_.size() / 2;
    for (std::size_t k = 0; k < units; ++k) {
      const std::uint32_t first = ahead_[2 * k], second = ahead_[2 * k + 1];
      take_unit(order_ == Order::little ? first | second << 8 : first << 8 | second);
    }
    ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(2 * units));
  }
  const std::size_t count = std::min(out.size(), converted_.size());
  std::copy_n(converted_.begin(), count, out.begin());
  converted_.erase(0, count);
  return count;
}

namespace {
constexpr std::size_t first_buffer = std::size_t{1} << 18;
constexpr std::size_t longest_line = std::size_t{64} << 20;
}  // namespace

LineReader::LineReader(const std::string& path, std::uint64_t most)
    : bytes_(path), most_(most), buffer_(first_buffer) {}

LineReader::~LineReader() = default;

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
    buffer_.resize(std::min(2 * buffer_.size(), longest_line));
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

/// By the first bytes of the file.
char LineReader::find_line_end() {
  while (end_ < first_buffer && fill()) {
  }
  try {
    return line_end_of({reinterpret_cast<const char*>(buffer_.data()), end_});
  } catch (const Error& problem) {
    throw DataError(path(), "", problem.what());
  }
}

bool LineReader::next(std::string_view& line) {
  if (line_end_ == 0) line_end_ = find_line_end();
  std::size_t searched = 0;
  const unsigned char* newline = nullptr;
  do {
    const unsigned char* from = buffer_.data() + begin_;
    newline = static_cast<const unsigned char*>(
        std::memchr(from + searched, line_end_, end_ - begin_ - searched));
    searched = end_ - begin_;
  } while (!newline && fill());
  const unsigned char* from = buffer_.data() + begin_;
  if (!newline && begin_ == end_) return false;
  const std::size_t length = newline ? std::size_t(newline - from) : end_ - begin_;
  begin_ += length + (newline ? 1 : 0);
  ++number_;
  try {
    line = checked_line({reinterpret_cast<const char*>(from), length}, number_ == 1, line_end_);
  } catch (const Error& problem) {
    throw DataError(path(), place(), problem.what());
  }
  return true;
}

}  // namespace semblance::sources
