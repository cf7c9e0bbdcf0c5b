// SPDX-License-Identifier: MIT
#include "column_precision.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

std::string short_text(long double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6Lg", x);
  return text;
}

std::string reason(bool tiny, const std::string& whose, const std::string& what) {
  return tiny ? "float32 has nothing between 0 and 1e-45, and few digits below 1e-38; multiply " +
                    what + " by a constant"
              : "float32 has 24 bits; subtract a constant, such as " + whose +
                    " smallest value, from " + what;
}

}  // namespace

long double ColumnPrecision::Column::spread() const noexcept {
  const long double rounded = high > low ? double(high) - double(low) : 0;
  const long double exact = exact_high > exact_low ? exact_high - exact_low : 0;
  return std::max(rounded, exact);
}

void ColumnPrecision::note(std::size_t column, float value, long double exact,
                           bool whole) noexcept {
  Column& c = columns_[column];
  const long double error = std::abs(exact - static_cast<long double>(value));
  c.error = std::max(c.error, error);
  if (whole) c.whole_error = std::max(c.whole_error, static_cast<float>(error));
  c.exact_low = std::min(c.exact_low, exact);
  c.exact_high = std::max(c.exact_high, exact);
}

void ColumnPrecision::add_zero(std::size_t column) noexcept {
  wants(column, 0);
  note(column, 0, 0, true);
}

ColumnPrecision::Loss ColumnPrecision::loss(std::size_t column) const noexcept {
  const Column& c = columns_[column];
  const long double spread = c.spread();
  if (c.error == 0 || spread == 0) return Loss::none;  // a constant column distinguishes nothing
  if (c.error > spread / 16) return Loss::all;
  return c.error > spread / 1024 ? Loss::some : Loss::none;
}

std::string ColumnPrecision::describe_loss(std::size_t column, const std::string& whose,
                                           const std::string& what) const {
  const Column& c = columns_[column];
  return "differ by " + short_text(c.spread()) + ", but would be rounded by up to " +
         short_text(c.error) + ", since " + reason(c.tiny(), whose, what) + " first";
}

void ColumnPrecision::check(const std::string& file,
                            const std::function<std::string(std::size_t)>& describe,
                            Context& context) const {
  const std::string whose = "the column's", column = "the column";
  std::optional<std::size_t> first;
  std::size_t rounded = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Loss lost = loss(k);
    if (lost == Loss::all)
      throw DataError(file, "",
                      "the values in " + describe(k) + " " + describe_loss(k, whose, column));
    const bool whole = columns_[k].whole_error > 0 && columns_[k].spread() > 0;
    if (lost == Loss::none && !whole) continue;
    if (rounded++ == 0) first = k;
  }
  if (!first) return;
  const Column& c = columns_[*first];
  std::string text = file + ": ";
  text += c.whole_error > 0 ? "integers in " : "the values in ";
  text += describe(*first);
  if (rounded > 1) text += " and in " + std::to_string(rounded - 1) + " more";
  context.log(LogLevel::warning, text + " are rounded by up to " + short_text(c.error) +
                                     ", while they differ by " + short_text(c.spread()) +
                                     ", since " + reason(c.tiny(), whose, column) +
                                     " if that matters");
}

ExactNumber exact_number(std::string_view text) noexcept {
  if (const auto whole = parse_integer(text)) return {static_cast<long double>(*whole), true};
  if (text.starts_with('+')) text.remove_prefix(1);
  long double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return {value, value == std::floor(value)};
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
    const ColumnPrecision::Loss loss = columns.loss(first + c);
    if (loss == ColumnPrecision::Loss::all)
      return "the values of the series" +
             (channels > 1 ? " in channel " + std::to_string(c + 1) : std::string()) + " " +
             columns.describe_loss(first + c, "its", "it");
    rounded = rounded || loss == ColumnPrecision::Loss::some;
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
