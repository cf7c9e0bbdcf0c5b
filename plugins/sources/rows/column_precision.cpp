// SPDX-License-Identifier: MIT
#include "rows/column_precision.hpp"

#include <charconv>
#include <cmath>

#include "semblance_tables/text_values.hpp"

namespace semblance::sources {

void add_exact(ColumnPrecision& precision, std::size_t column, double near, std::string_view text) {
  // Beyond 2^53 a double does not hold every integer, and under 1e-290 not every digit.
  const double size = std::abs(near);
  const bool exact =
      size < 0x1p53 && (size > 1e-290 || text.find_first_of("123456789") == text.npos);
  if (exact) return precision.add(column, near);
  precision.add(column, exact_number(text));
}

long double exact_number(std::string_view text) noexcept {
  if (const auto whole = parse_integer(text)) return static_cast<long double>(*whole);
  if (text.starts_with('+')) text.remove_prefix(1);
  long double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string SeriesPrecision::end_series(const Place& place) {
  std::string lost = judge(own_, 0, own_.columns(), place);
  forget_series();
  return lost;
}

std::string SeriesPrecision::judge(const ColumnPrecision& columns, std::size_t first,
                                   std::size_t channels, const Place& place) {
  bool rounded = false;
  for (std::size_t c = 0; c < channels; ++c) {
    if (const std::string lost = columns.lost(first + c, "it"); !lost.empty())
      return "the values of the series" +
             (channels > 1 ? " in channel " + std::to_string(c + 1) : std::string()) + " " + lost;
    rounded = rounded || columns.rounded(first + c);
  }
  if (rounded && rounded_++ == 0) first_ = place();
  return "";
}

void SeriesPrecision::report(const std::string& file, Context& context) const {
  if (rounded_ == 0) return;
  context.log(
      LogLevel::warning,
      file + ": the values of " + std::to_string(rounded_) +
          " series are rounded by more than a thousandth of what they differ by, first in " +
          first_ +
          ", since float32 has 24 bits; subtract a constant from each series, "
          "such as its smallest value, if that matters");
}

}  // namespace semblance::sources
