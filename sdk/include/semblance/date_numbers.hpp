// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// A column of dates is three numbers per row: days since 1 January 1970 (with the time of day as a
/// fraction), the day of the year from 1, and the weekday from 1, a Monday.
inline constexpr std::size_t date_numbers_count = 3;

/// How days with slashes are written: 31/5/2024, or 5/31/2024. Years may come first, as in
/// 2024-05-31 and 2024/5/31, and days with points begin with the day, whatever this says.
enum class DateForm { day_first, month_first };

/// The numbers of a date, with or without a time of day behind a blank or T. Nothing if it is none.
std::optional<std::array<float, date_numbers_count>> date_numbers(std::string_view text,
                                                                  DateForm form) noexcept;

/// The names of the three values of a column, "when=days since 1970" and so on.
std::vector<std::string> date_names(const std::string& column, DateForm form);

/// What follows "when=" in three adjacent names of values that are those of dates; nothing for
/// other values, such as categories.
std::optional<DateForm> form_of_dates(std::span<const std::string> tails);

}  // namespace semblance
