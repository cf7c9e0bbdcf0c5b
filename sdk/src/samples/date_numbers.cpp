// SPDX-License-Identifier: MIT
#include "semblance/date_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace semblance {
namespace {

constexpr std::array<std::string_view, date_numbers_count> day_first_names = {
    "days since 1970", "day of the year", "weekday"};
constexpr std::array<std::string_view, date_numbers_count> month_first_names = {
    "days since 1970, months first", "day of the year", "weekday"};

const auto& names_of(DateForm form) {
  return form == DateForm::day_first ? day_first_names : month_first_names;
}

/// Takes up to `most` digits from the start of the text; nothing if there are none, or more.
std::optional<int> take_number(std::string_view& text, std::size_t most) noexcept {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > most) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

std::optional<std::chrono::year_month_day> day_of(std::string_view text, DateForm form) noexcept {
  std::array<int, 3> parts{};
  const bool year_first = text.find_first_not_of("0123456789") == 4;
  char mark = 0;
  bool short_year = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t before = text.size();
    const bool is_year = k == (year_first ? 0U : 2U);
    const auto value = take_number(text, is_year ? 4 : 2);
    if (!value) return std::nullopt;
    parts[k] = *value;
    if (is_year && before - text.size() != 4) {
      if (before - text.size() != 2) return std::nullopt;
      short_year = true;
    }
    if (k == 2) break;
    if (text.empty() || (mark != 0 && text[0] != mark) ||
        std::string_view("-/.").find(text[0]) == std::string_view::npos)
      return std::nullopt;
    mark = text[0];
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  if (year_first) std::swap(parts[0], parts[2]);
  if (!year_first && mark == '/' && form == DateForm::month_first) std::swap(parts[0], parts[1]);
  // As POSIX reads years of two digits.
  if (short_year) parts[2] += parts[2] < 69 ? 2000 : 1900;
  const std::chrono::year_month_day day{std::chrono::year(parts[2]),
                                        std::chrono::month(static_cast<unsigned>(parts[1])),
                                        std::chrono::day(static_cast<unsigned>(parts[0]))};
  return day.ok() ? std::optional(day) : std::nullopt;
}

/// The part of a day of 12:30, 12:30:15 or 12:30:15.25, with or without a Z behind it.
std::optional<double> part_of_day(std::string_view text) noexcept {
  double seconds = 0;
  for (const double unit : {3600.0, 60.0, 1.0}) {
    const auto value = take_number(text, 2);
    if (!value || *value >= (unit == 3600.0 ? 24 : 60)) return std::nullopt;
    seconds += unit * *value;
    if (text.empty() || text == "Z")
      return unit < 3600.0 ? std::optional(seconds / 86400) : std::nullopt;
    const char next = unit == 1.0 ? '.' : ':';
    if (text[0] != next) return std::nullopt;
    text.remove_prefix(1);
  }
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  return seconds / 86400;
}

}  // namespace

std::optional<std::array<float, date_numbers_count>> date_numbers(std::string_view text,
                                                                  DateForm form) noexcept {
  const std::size_t end = std::min(text.find_first_of(" T"), text.size());
  const auto date = day_of(text.substr(0, end), form);
  if (!date) return std::nullopt;
  double time = 0;
  if (end < text.size()) {
    const auto part = part_of_day(text.substr(end + 1));
    if (!part) return std::nullopt;
    time = *part;
  }
  const std::chrono::sys_days day = *date;
  const std::chrono::sys_days first = date->year() / std::chrono::January / 1;
  return std::array{static_cast<float>(day.time_since_epoch().count() + time),
                    static_cast<float>((day - first).count() + 1),
                    static_cast<float>(std::chrono::weekday(day).iso_encoding())};
}

std::vector<std::string> date_names(const std::string& column, DateForm form) {
  std::vector<std::string> names;
  for (const std::string_view name : names_of(form))
    names.push_back(column + "=" + std::string(name));
  return names;
}

std::optional<DateForm> form_of_dates(std::span<const std::string> tails) {
  for (const DateForm form : {DateForm::day_first, DateForm::month_first})
    if (std::ranges::equal(tails, names_of(form))) return form;
  return std::nullopt;
}

}  // namespace semblance
