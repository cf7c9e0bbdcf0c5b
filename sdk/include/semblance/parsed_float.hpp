// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace semblance {

/// Reads all of `text` as a float32; `wide` is the same number as a double. Returns the problem
/// ("is not a number", "is not finite", "is too large for float32"), or null. Does not depend on
/// the locale.
inline const char* parse_float(std::string_view text, float& value, double& wide) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, wide);
  if (end != last || error == std::errc::invalid_argument) return "is not a number";
  if (error == std::errc::result_out_of_range) {
    if (text.find("e-") == text.npos && text.find("E-") == text.npos)
      return "is too large for float32";
    wide = value = 0;
    return nullptr;
  }
  if (!std::isfinite(wide)) return "is not finite";
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
