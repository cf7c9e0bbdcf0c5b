// SPDX-License-Identifier: MIT
#include "text/utf16_reader.hpp"

#include <algorithm>

#include "semblance/error.hpp"
#include "text/alphabet.hpp"

namespace semblance::sources {

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

}  // namespace semblance::sources
