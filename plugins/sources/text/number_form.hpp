// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "semblance/missing_mark.hpp"

namespace semblance::sources {

/// The form of numbers in a table. Not thread-safe: it owns the text that plain() returns.
class NumberForm {
 public:
  explicit NumberForm(bool decimal_comma) : decimal_comma_(decimal_comma) {}

  /// The text with a decimal point, and True and False as 1 and 0; valid until the next call. If
  /// the comma is the decimal mark, a text with a point is not a number.
  std::string_view plain(std::string_view text);

  /// Reads a float32 as parse_float() does.
  const char* parse(std::string_view text, float& value);

  bool is_number(std::string_view text);

  /// The remedy for a text that is not a number: "set 'decimal: comma' ...". Empty if its form is
  /// unknown.
  std::string remedy(std::string_view text) const;

 private:
  bool decimal_comma_;
  std::string swapped_;
};

/// 1 or 0 for True or False, as written by pandas, R and databases; else nothing.
std::optional<std::string_view> number_of_truth(std::string_view text) noexcept;

/// "1,5" and the like: digits, one comma, digits.
bool has_decimal_comma(std::string_view text) noexcept;

/// Whether it looks like a date or a time of day: 2024-05-31, 31.5.24, 5/31/2024, 12:30, or a date
/// with a time.
bool looks_like_date(std::string_view text) noexcept;

}  // namespace semblance::sources
