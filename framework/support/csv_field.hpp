// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance {

/// One field of a CSV file, in quotes where RFC 4180 wants them.
inline std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace semblance
