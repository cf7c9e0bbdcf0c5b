// SPDX-License-Identifier: MIT
#include "semblance_tables/text_values.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace semblance {

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    utf8proc_int32_t symbol = 0;
    const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                        static_cast<utf8proc_ssize_t>(text.size()), &symbol);
    if (bytes <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  return "'" + printable(text.substr(0, most)) + (text.size() > most ? "...'" : "'");
}

std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 200;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + printable(name);
  return all.size() > most ? all.substr(0, most) + "..." : all;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Takes digits off the front; returns their number.
std::size_t take_digits(std::string_view& text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

void take_sign(std::string_view& text) noexcept {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
}

/// "1,234", "1 234 567", "1'234.5": groups of three digits after the same mark.
bool groups_thousands(std::string_view text, char mark) noexcept {
  take_sign(text);
  const std::size_t first = take_digits(text);
  if (first == 0 || first > 3 || !text.starts_with(mark)) return false;
  while (text.starts_with(mark)) {
    text.remove_prefix(1);
    if (take_digits(text) != 3) return false;
  }
  if (text.empty()) return true;
  if ((text[0] != '.' && text[0] != ',') || text[0] == mark) return false;
  text.remove_prefix(1);
  take_digits(text);
  return text.empty();
}

/// "12%", "$5", "7.50 EUR" without its unit; the text itself without a unit.
std::string_view without_unit(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 7> units = {"%", "$", "€", "£", "EUR", "USD", "GBP"};
  for (const std::string_view unit : units) {
    if (text.ends_with(unit)) return trimmed(text.substr(0, text.size() - unit.size()));
    if (text.starts_with(unit)) return trimmed(text.substr(unit.size()));
  }
  return text;
}

/// Three numbers with one mark between them, as in 2024-05-31; the first or the last may be a year.
bool is_day(std::string_view text) noexcept {
  std::array<std::size_t, 3> digits{};
  char mark = 0;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    digits[k] = take_digits(text);
    if (digits[k] == 0 || digits[k] > 4) return false;
    if (k == 2) break;
    if (text.empty() || (text[0] != '-' && text[0] != '/' && text[0] != '.')) return false;
    if (mark != 0 && text[0] != mark) return false;
    mark = text[0];
    text.remove_prefix(1);
  }
  const bool year_first = digits[0] == 4 && digits[2] <= 2;
  const bool year_last = digits[0] <= 2 && (digits[2] == 4 || digits[2] == 2);
  return text.empty() && digits[1] <= 2 && (year_first || year_last);
}

/// 12:30 or 12:30:15, followed by anything (fractions, a zone).
bool starts_with_time(std::string_view text) noexcept {
  const std::size_t hours = take_digits(text);
  if (hours == 0 || hours > 2 || !text.starts_with(':')) return false;
  text.remove_prefix(1);
  return take_digits(text) == 2 && (text.empty() || !is_digit(text[0]));
}

}  // namespace

std::optional<std::string_view> number_of_truth(std::string_view text) noexcept {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  if (text == "True" || text == "TRUE" || text == "true") return "1";
  if (text == "False" || text == "FALSE" || text == "false") return "0";
  return std::nullopt;
}

bool has_decimal_comma(std::string_view text) noexcept {
  take_sign(text);
  const std::size_t whole = take_digits(text);
  if (!text.starts_with(',')) return false;
  text.remove_prefix(1);
  const std::size_t fraction = take_digits(text);
  if (fraction == 0 || whole + fraction == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    take_sign(text);
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

bool looks_like_date(std::string_view text) noexcept {
  if (starts_with_time(text)) return true;
  const std::size_t end = text.find_first_of(" T");
  if (end == text.npos) return is_day(text);
  return is_day(text.substr(0, end)) && starts_with_time(trimmed(text.substr(end + 1)));
}

std::string_view NumberForm::plain(std::string_view text) {
  if (const auto number = number_of_truth(text)) return *number;
  if (!decimal_comma_) return text;
  swapped_ = text;
  for (char& c : swapped_) c = c == ',' ? '.' : c == '.' ? ',' : c;
  return swapped_;
}

const char* NumberForm::parse(std::string_view text, float& value, double& wide) {
  const char* problem = parse_float(decimal_comma_ ? plain(text) : text, value, wide);
  if (!problem) return nullptr;
  const auto number = number_of_truth(text);
  return number ? parse_float(*number, value, wide) : problem;
}

bool NumberForm::is_number(std::string_view text) {
  float ignored;
  return !parse(text, ignored);
}

std::string NumberForm::remedy(std::string_view text) const {
  if (looks_like_date(text))
    return "name a column of dates in 'dates' of source/csv, turn it into numbers, or name the "
           "column in 'ignore'";
  if (!decimal_comma_ && has_decimal_comma(text))
    return groups_thousands(text, ',')
               ? "set 'decimal: comma' if its comma is a decimal one, or remove the commas if they "
                 "separate thousands"
               : "set 'decimal: comma' if its comma is a decimal one";
  for (const char mark : {',', '.', ' ', '\''})
    if (groups_thousands(text, mark))
      return std::string("remove the marks between thousands") +
             (decimal_comma_ && mark == '.'
                  ? ", or omit 'decimal: comma' if its point is a decimal one"
                  : "");
  std::string_view rest = without_unit(text);
  if (rest.size() < text.size() && !rest.empty() &&
      rest.find_first_not_of("0123456789.,' +-") == rest.npos)
    return "write the number without its unit";
  rest = text;
  take_sign(rest);
  if (decimal_comma_ && rest.find('.') != rest.npos &&
      rest.find_first_not_of("0123456789.eE+-") == rest.npos)
    return "omit 'decimal: comma' if its point is a decimal one";
  return "";
}

}  // namespace semblance
