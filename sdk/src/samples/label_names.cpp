// SPDX-License-Identifier: MIT
#include "semblance/label_names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace semblance {
namespace {

/// Removes digits from the front of `text`; returns their number.
std::size_t skip_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

/// Digits without leading zeros, optionally a point with more digits and a signed exponent: the
/// form in which programs write numbers.
bool is_written_as_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t digits = skip_digits(text);
  if (digits == 0 || (zero && digits > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip_digits(text);
  }
  if (text.starts_with("e+") || text.starts_with("e-") || text.starts_with("E+") ||
      text.starts_with("E-")) {
    text.remove_prefix(2);
    if (skip_digits(text) == 0) return false;
  }
  return text.empty();
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (!is_written_as_number(text)) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::abs(value) > 9e15 || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::string canonical_label(std::string_view text) {
  const auto number = whole_number(text);
  return number ? std::to_string(*number) : std::string(text);
}

std::vector<std::size_t> natural_order(std::span<const std::string> names) {
  std::vector<std::optional<std::int64_t>> values;
  for (const auto& name : names) values.push_back(whole_number(name));
  const bool numeric = std::all_of(values.begin(), values.end(), [](auto& v) { return !!v; });
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return numeric ? *values[a] < *values[b] : names[a] < names[b];
  });
  return order;
}

}  // namespace semblance
