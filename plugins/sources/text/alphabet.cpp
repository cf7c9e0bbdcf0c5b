// SPDX-License-Identifier: MIT
#include "text/alphabet.hpp"

#include <cstdio>

#include "semblance_tables/text_values.hpp"

namespace semblance::sources {

char32_t take_symbol(std::string_view& text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t symbol = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) symbol = symbol << 6 | (byte(k) & 0x3fu);
  text.remove_prefix(length);
  return symbol;
}

std::string describe_symbol(char32_t symbol) {
  char number[16];
  std::snprintf(number, sizeof number, "U+%04X", static_cast<unsigned>(symbol));
  return in_quotes(utf8(symbol)) + " (" + number + ")";
}

void Alphabet::add(char32_t symbol) {
  if (symbol >= codes_.size()) codes_.resize(symbol + 1, none);
  if (codes_[symbol] != none) return;
  codes_[symbol] = 0;
  ++size_;
}

char32_t Alphabet::add_all(std::string_view text) {
  char32_t twice = 0;
  while (!text.empty()) {
    const char32_t symbol = take_symbol(text);
    if (knows(symbol) && twice == 0) twice = symbol;
    add(symbol);
  }
  number();
  return twice;
}

void Alphabet::number() {
  std::int32_t next = 0;
  for (std::int32_t& code : codes_)
    if (code != none) code = next++;
}

bool Alphabet::has_all_of(const Alphabet& other) const noexcept {
  for (std::size_t symbol = 0; symbol < other.codes_.size(); ++symbol)
    if (other.codes_[symbol] != none && !knows(static_cast<char32_t>(symbol))) return false;
  return true;
}

std::string Alphabet::text() const {
  std::string all;
  for (std::size_t symbol = 0; symbol < codes_.size(); ++symbol)
    if (codes_[symbol] != none) all += utf8(static_cast<char32_t>(symbol));
  return all;
}

}  // namespace semblance::sources
