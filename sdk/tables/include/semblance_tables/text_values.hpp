// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/missing_mark.hpp"
#include "semblance/parsed_float.hpp"

namespace semblance {

/// Parses all of `text` as an integer, with or without a sign.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

/// Whether `text` is UTF-8, as required for output: reports and models are JSON.
bool is_utf8(std::string_view text) noexcept;

/// `text` with ? in place of control characters, so that it fits into a one-line message.
std::string printable(std::string_view text);

/// `text` in quotes for a message: cut short, without control characters.
std::string in_quotes(std::string_view text);

/// Names for a message, "a, b, c", cut where they are many.
std::string enumerated(const std::vector<std::string>& names);

/// The text with A to Z replaced by a to z.
std::string lower_case(std::string_view text);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text) noexcept;

/// The form of numbers in a table. Not thread-safe: it owns the text that plain() returns.
class NumberForm {
 public:
  explicit NumberForm(bool decimal_comma) : decimal_comma_(decimal_comma) {}

  /// The text with a decimal point, and True and False as 1 and 0; valid until the next call. If
  /// the comma is the decimal mark, a text with a point is not a number.
  std::string_view plain(std::string_view text);

  /// Reads a float32, and the double next to the number, as parse_float() does.
  const char* parse(std::string_view text, float& value, double& wide);
  const char* parse(std::string_view text, float& value) {
    double wide = 0;
    return parse(text, value, wide);
  }

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

}  // namespace semblance
