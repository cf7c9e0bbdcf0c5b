// SPDX-License-Identifier: MIT
#include "support/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace semblance {

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds <= 0) return "0 s";
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 0.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1e9) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const std::int64_t minutes = (whole + 30) / 60;
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string bytes_text(double bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 9.95 ? 1 : 0, units[unit]);
}

std::optional<std::size_t> bytes_from_text(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  for (const char* suffix : {"iB", "B"})
    if (unit.size() > 1 && unit.ends_with(suffix)) unit.resize(unit.size() - std::strlen(suffix));
  double factor = 1;
  for (const char* known : {"", "K", "M", "G", "T"}) {
    if (unit == known && problem == std::errc() && value * factor >= 1 && value * factor < 1e18)
      return static_cast<std::size_t>(value * factor);
    factor *= 1024;
  }
  return std::nullopt;
}

std::string count_text(std::int64_t count) {
  std::string text = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  if (text.size() - first < 5) return text;
  for (std::size_t place = text.size(); place > first + 3;) text.insert(place -= 3, ",");
  return text;
}

std::string quantity_text(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : "unbounded";
  if (std::abs(value) < 1e15 && value == std::trunc(value))
    return count_text(static_cast<std::int64_t>(value));
  if (std::abs(value) < 1e4 || std::abs(value) >= 1e12)
    return fmt::format("{:.{}g}", value, digits);
  const std::string text = fmt::format("{:.1f}", value);
  return count_text(std::stoll(text)) + text.substr(text.size() - 2);
}

}  // namespace semblance
