// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>

#include "study/alternative_reader.hpp"

namespace semblance {
namespace {

constexpr int all_digits = 15;

/// Numbers of this size are written without an exponent.
bool plain_size(double value) {
  const double size = std::abs(value);
  return size == 0 || (size >= 1e-4 && size < 1e7);
}

/// 2.50 as 2.5, 3.0 as 3.
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// 1.50e-07 as 1.5e-7.
std::string with_short_exponent(const std::string& text) {
  const std::size_t e = text.find('e');
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent.starts_with('-');
  exponent.erase(0, exponent.find_first_not_of("+-0"));
  return without_zeros(text.substr(0, e)) + "e" + (negative ? "-" : "") + exponent;
}

std::string rounded_text(double value, int digits) {
  if (!plain_size(value)) return with_short_exponent(fmt::format("{:.{}e}", value, digits - 1));
  const int order = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  return without_zeros(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - order)));
}

/// To 15 digits; what is left of a sum that should be zero is zero. `size`: of the terms.
double rounded(long double value, double size) {
  if (std::abs(value) < 1e-14L * size) return 0;
  return std::strtod(fmt::format("{:.{}g}", static_cast<double>(value), all_digits).c_str(),
                     nullptr);
}

/// The shortest text that reads back as the same number; an integer has no exponent, so that an
/// integer parameter takes it.
std::string exact_text(double value) {
  if (value == std::trunc(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::vector<std::string> names_of(const std::vector<double>& values) {
  for (int digits = 3; digits <= 17; ++digits) {
    std::vector<std::string> names;
    for (const double value : values) names.push_back(rounded_text(value, digits));
    if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  }
  return {};
}

}  // namespace

std::vector<RangeValue> range_values(double from, double to, std::size_t steps, bool logarithmic) {
  std::vector<double> values;
  for (std::size_t i = 0; i < steps; ++i) {
    const long double share = static_cast<long double>(i) / static_cast<long double>(steps - 1);
    const long double start = from, end = to;
    values.push_back(i == 0           ? from
                     : i == steps - 1 ? to
                     : logarithmic    ? rounded(start * std::pow(end / start, share), 0)
                                      : rounded(start + (end - start) * share,
                                                std::max(std::abs(from), std::abs(to))));
  }
  const auto names = names_of(values);
  std::vector<RangeValue> result;
  for (std::size_t i = 0; i < names.size(); ++i)
    result.push_back({names[i], exact_text(values[i])});
  return result;
}

}  // namespace semblance
