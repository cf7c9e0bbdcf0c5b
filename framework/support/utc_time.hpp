// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace semblance {

/// A time in the form of RunRecord::started: ISO 8601, UTC. It avoids gmtime(), which takes a lock
/// of the C library: a child of fork() would wait for it if another thread held it.
inline std::string utc_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

/// The present time.
inline std::string utc_now() {
  return utc_text(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

}  // namespace semblance
