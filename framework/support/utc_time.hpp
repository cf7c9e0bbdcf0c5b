// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>
#include <string>

namespace semblance {

/// The time now as RunRecord::started has it: ISO 8601, UTC.
inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace semblance
