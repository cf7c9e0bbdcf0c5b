// SPDX-License-Identifier: MIT
#include "series/series_precision.hpp"

namespace semblance::sources {

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
