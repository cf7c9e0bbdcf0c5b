// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace semblance {

/// Reads all of a plain decimal of at most 15 digits, such as -12.5; false for any other text. Its
/// digits and the power of ten are doubles without rounding, so that their quotient is the double
/// next to the number (Clinger, How to read floating point numbers accurately, 1990).
inline bool parse_decimal(std::string_view text, double& value) noexcept {
  constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.size() > 16) return false;
  std::uint64_t digits = 0;
  std::size_t point = text.size();
  for (std::size_t k = 0; k < text.size(); ++k) {
    const unsigned digit = static_cast<unsigned char>(text[k]) - unsigned{'0'};
    if (digit <= 9) {
      digits = 10 * digits + digit;
    } else {
      if (text[k] != '.' || point < text.size()) return false;
      point = k;
    }
  }
  const bool any_point = point < text.size();
  const std::size_t count = text.size() - (any_point ? 1 : 0);
  if (count == 0 || count > 15) return false;
  value = static_cast<double>(digits) / powers[any_point ? count - point : 0];
  if (negative) value = -value;
  return true;
}

/// Reads all of `text` as a float32; `wide` is the same number as a double. Returns the problem
/// ("is not a number", "is not finite", "is too large for float32"), or null. Does not depend on
/// the locale.
inline const char* parse_float(std::string_view text, float& value, double& wide) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const last = text.data() + text.size();
  if (!parse_decimal(text, wide)) {
    const auto [end, error] = std::from_chars(text.data(), last, wide);
    if (end != last || error == std::errc::invalid_argument) return "is not a number";
    if (error == std::errc::result_out_of_range) {
      if (text.find("e-") == text.npos && text.find("E-") == text.npos)
        return "is too large for float32";
      wide = value = 0;
      return nullptr;
    }
    if (!std::isfinite(wide)) return "is not finite";
  }
  value = static_cast<float>(wide);
  if (!std::isfinite(value)) return "is too large for float32";
  // Halfway between two float32 the digits that a double lacks decide.
  constexpr std::uint64_t halfway = 1U << 28, below = (1U << 29) - 1;
  const bool small = wide != 0 && std::abs(wide) < 0x1p-126;
  if (small || (std::bit_cast<std::uint64_t>(wide) & below) == halfway)
    std::from_chars(text.data(), last, value);
  return nullptr;
}

inline const char* parse_float(std::string_view text, float& value) noexcept {
  double wide = 0;
  return parse_float(text, value, wide);
}

}  // namespace semblance
