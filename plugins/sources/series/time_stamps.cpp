// SPDX-License-Identifier: MIT
#include "series/time_stamps.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

constexpr double tolerance = 0.02;  // as a part of a step

constexpr const char* equal_steps =
    "; series need equal steps: interpolate the values at such times first, for example by "
    "numpy.interp";

/// All of `text` as a number. Differences of such numbers are finite.
std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= 1e300))
    return std::nullopt;
  return value;
}

/// Takes digits off `text`, exactly `count` of them.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return std::nullopt;
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any) {
  if (text.empty() || any.find(text[0]) == any.npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds since midnight: 12:30, 12:30:15, 12:30:15.25.
std::optional<double> seconds_of_day(std::string_view text) {
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  const double whole = 3600.0 * *hour + 60.0 * *minute;
  if (text.empty()) return whole;
  if (!take(text, ":") || text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const auto second = number_of(text);
  if (!second || *second >= 61) return std::nullopt;
  return whole + *second;
}

std::optional<double> seconds_of_date(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, "-/")) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, "-/")) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)});
  if (!date.ok()) return std::nullopt;
  const double midnight =
      86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.empty()) return midnight;
  if (!take(text, " T")) return std::nullopt;
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto time = seconds_of_day(text);
  if (!time) return std::nullopt;
  return midnight + *time;
}

std::string named(std::size_t i, std::string_view stamp) {
  return "time stamp " + std::to_string(i + 1) + " (" + in_quotes(stamp) + ")";
}

std::string text_of(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
  return std::string(text, end.ptr);
}

std::vector<double> times_of(std::span<const std::string_view> stamps,
                             const std::function<void(const std::string&)>& fail) {
  std::vector<double> times;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    const auto time = time_of_stamp(stamps[i]);
    if (!time)
      fail(named(i, stamps[i]) +
           " is neither a number nor a date such as 2024-05-31 12:30:00; correct it");
    if (i > 0 && !(*time > times.back()))
      fail(named(i, stamps[i]) + " is not later than the one before; sort the steps by time");
    times.push_back(*time);
  }
  return times;
}

}  // namespace

std::optional<double> time_of_stamp(std::string_view text) {
  text = trimmed(text);
  const auto number = number_of(text);
  return number ? number : seconds_of_date(text);
}

std::vector<std::size_t> TimeSteps::of_channel(
    std::span<const std::string_view> stamps, const std::function<void(const std::string&)>& fail) {
  const std::vector<double> times = times_of(stamps, fail);
  if (times.empty()) return {};
  double length = length_;
  if (length == 0 && times.size() > 1) {
    length = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < times.size(); ++i)
      length = std::min(length, times[i] - times[i - 1]);
  }
  if (start_ && std::abs(times[0] - *start_) > tolerance * length)
    fail(named(0, stamps[0]) +
         " is not that of the first channel; the channels of a series need the same time stamps");
  if (!start_) start_ = times[0];
  std::vector<std::size_t> steps = {0};
  const double most = 2 * static_cast<double>(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) {
    // Where rounding would make it the same step, a check below fails.
    const double step = std::max(1.0, std::round((times[i] - times[i - 1]) / length));
    if (!(static_cast<double>(steps.back()) + step <= most))
      fail("more time stamps are left out than there are, beside the step of " + text_of(length) +
           equal_steps);
    steps.push_back(steps.back() + static_cast<std::size_t>(step));
  }
  if (steps.size() < 2) return steps;
  const double mean = (times.back() - times[0]) / static_cast<double>(steps.back());
  if (length_ != 0 && std::abs(mean - length_) > tolerance * length_)
    fail("the time stamps are " + text_of(mean) + " apart, but those before are " +
         text_of(length_) + " apart" + equal_steps);
  for (std::size_t i = 1; i < times.size(); ++i)
    if (std::abs(times[i] - times[0] - mean * static_cast<double>(steps[i])) > tolerance * mean)
      fail(named(i, stamps[i]) + " is not a whole number of steps of " + text_of(mean) +
           " after the first" + equal_steps);
  if (length_ == 0) length_ = mean;
  return steps;
}

}  // namespace semblance::sources
