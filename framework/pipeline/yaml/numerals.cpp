// SPDX-License-Identifier: MIT
#include "pipeline/yaml/numerals.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace semblance {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

/// std::from_chars accepts no '+'.
std::string_view without_plus(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return text;
}

bool leading_zero(std::string_view text) {
  text = without_sign(text);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

/// [sign] digits [. digits] [e [sign] digits], with at least one digit before the exponent.
bool is_numeral(std::string_view text) {
  text = without_sign(text);
  const auto exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    if (!all_digits(without_sign(text.substr(exponent + 1)))) return false;
    text = text.substr(0, exponent);
  }
  const auto point = text.find('.');
  if (point == std::string_view::npos) return all_digits(text);
  const auto before = text.substr(0, point);
  const auto after = text.substr(point + 1);
  return (before.empty() || all_digits(before)) && (after.empty() || all_digits(after)) &&
         !(before.empty() && after.empty());
}

template <class T>
std::optional<T> convert(std::string_view text) {
  text = without_plus(text);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text with its leading zeros or its underscores removed.
std::string cleaned(std::string_view text) {
  std::string result(text);
  result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
  const std::size_t sign = result.size() - without_sign(result).size();
  while (leading_zero(result)) result.erase(sign, 1);
  return result;
}

/// The probable intention behind text that only looks like a number.
std::string advice(std::string_view text, bool integer) {
  const std::string_view digits = without_sign(text);
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data() + 2, digits.data() + digits.size(), value, 16);
    if (error == std::errc() && end == digits.data() + digits.size())
      return "numbers are decimal: write " + std::to_string(value);
    return "numbers are decimal";
  }
  if (text.find('_') != std::string_view::npos && is_numeral(cleaned(text)))
    return "write it without underscores: " + cleaned(text);
  if (is_numeral(text) && leading_zero(text))
    return "write it without leading zeros: " + cleaned(text);
  if (std::count(text.begin(), text.end(), ',') == 1) {
    std::string point(text);
    std::replace(point.begin(), point.end(), ',', '.');
    if (is_numeral(point)) return "write a decimal point: " + point;
  }
  if (integer && is_numeral(text)) {
    const auto value = convert<double>(text);
    if (value && *value == std::floor(*value) && std::abs(*value) < 1e15)
      return "write " + std::to_string(static_cast<std::int64_t>(*value));
  }
  return "";
}

/// The common checks of all numerals: a plain scalar without octal-looking zeros.
bool check_form(const YamlNode& node, std::string_view wanted, bool well_formed, bool integer,
                Refusal& refusal) {
  if (node.is_scalar() && !node.quoted && well_formed && !leading_zero(node.text)) return true;
  refusal.problem = "must be " + std::string(wanted) + ", got " + node.describe();
  if (!node.is_scalar()) {
    if (node.is_list() && node.items.size() == 1 && node.items[0].is_scalar())
      refusal.help = "write it without brackets: " + node.items[0].text;
  } else if (node.quoted) {
    refusal.problem = "must be " + std::string(wanted) + ", got the text " + node.describe();
    if (is_numeral(node.text)) refusal.help = "remove the quotes: " + node.text;
  } else {
    refusal.help = advice(node.text, integer);
  }
  return false;
}

template <class T>
std::optional<T> read_whole(const YamlNode& node, std::string_view wanted, Refusal& refusal) {
  const bool well_formed = all_digits(without_sign(node.text));
  if (!check_form(node, wanted, well_formed, true, refusal)) return std::nullopt;
  const auto value = convert<T>(node.text);
  if (!value) {
    const bool negative = node.text.starts_with('-') && std::is_unsigned_v<T>;
    refusal.problem = negative ? "must be " + std::string(wanted) + ", got " + node.describe()
                               : "must be " + std::string(wanted) + " that fits in 64 bits, got " +
                                     node.describe();
  }
  return value;
}

}  // namespace

std::optional<std::int64_t> read_integer(const YamlNode& node, Refusal& refusal) {
  return read_whole<std::int64_t>(node, "an integer", refusal);
}

std::optional<std::uint64_t> read_natural(const YamlNode& node, Refusal& refusal) {
  return read_whole<std::uint64_t>(node, "a non-negative integer", refusal);
}

std::optional<double> read_number(const YamlNode& node, Refusal& refusal) {
  const bool well_formed = is_numeral(node.text);
  if (!check_form(node, "a finite number", well_formed, false, refusal)) {
    return std::nullopt;
  }
  const auto value = convert<double>(node.text);
  if (!value) refusal.problem = "is out of range for a 64-bit number: " + node.describe();
  return value;
}

}  // namespace semblance
