// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>

namespace semblance {

/// The value of a symbol that the alphabet of a string's layout lacks. Only new strings, which a
/// trained model is applied to, have such symbols: one equals no symbol of the alphabet.
inline float new_symbol_value(char32_t code_point) noexcept {
  return -1 - static_cast<float>(code_point);
}

/// Whether a value of a string is a symbol that its alphabet lacks, and not a position in it.
inline bool is_new_symbol(float value) noexcept {
  constexpr float last_code_point = 0x10ffff;
  return value <= -1 && value >= -1 - last_code_point && value == std::floor(value);
}

/// The code point of such a symbol; the inverse of new_symbol_value().
inline char32_t new_symbol(float value) noexcept { return static_cast<char32_t>(-1 - value); }

/// A code point as UTF-8.
inline std::string utf8(char32_t symbol) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (symbol >> shift & 0x3f)); };
  if (symbol < 0x80) return {static_cast<char>(symbol)};
  if (symbol < 0x800) return {static_cast<char>(0xc0 | symbol >> 6), tail(0)};
  if (symbol < 0x10000) return {static_cast<char>(0xe0 | symbol >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | symbol >> 18), tail(12), tail(6), tail(0)};
}

}  // namespace semblance
