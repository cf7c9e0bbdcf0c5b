// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <string>

namespace semblance {

/// Appends the shortest text that reads as the same float32.
inline void append_float(std::string& text, float value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// The same for double.
inline void append_double(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace semblance
