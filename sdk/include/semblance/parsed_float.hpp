// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <string_view>

namespace semblance {

/// Reads all of `text` as a float32. Returns the problem ("is not a number", "is not finite", "is
/// too large for float32"), or null. Does not depend on the locale.
inline const char* parse_float(std::string_view text, float& value) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last) return std::isfinite(value) ? nullptr : "is not finite";
  if (error != std::errc::result_out_of_range || end != last) return "is not a number";
  double wide = 0;  // too large, or too close to 0, for float32
  const auto again = std::from_chars(text.data(), last, wide);
  if (again.ec == std::errc() && std::abs(wide) > 1) return "is too large for float32";
  if (again.ec != std::errc() && text.find("e-") == text.npos && text.find("E-") == text.npos)
    return "is too large for float32";
  value = again.ec == std::errc() ? static_cast<float>(wide) : 0.0f;
  return nullptr;
}

}  // namespace semblance
