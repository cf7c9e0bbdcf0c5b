// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "semblance/context.hpp"
#include "semblance_numerics/column_precision.hpp"

namespace semblance::sources {

using numerics::ColumnPrecision;

/// Adds the number that a text gives, `near` the double next to it, with all its digits.
void add_exact(ColumnPrecision& precision, std::size_t column, double near, std::string_view text);

/// A number with all its digits, as far as 64 bits hold them. `text` must be a number.
long double exact_number(std::string_view text) noexcept;

/// Watches the loss of precision when series are converted to float32, per series and channel:
/// normalization of a series subtracts its own level, and the spread of all series does not show
/// the precision of one.
class SeriesPrecision {
 public:
  using Place = std::function<std::string()>;

  /// The channels of the series so far.
  ColumnPrecision& channels(std::size_t at_least) {
    if (at_least > own_.columns()) own_.resize(at_least);
    return own_;
  }

  /// Ends a series. Returns a message if it has lost the differences between its values, else
  /// nothing. Counts series with a smaller loss, the first of which is at `place()`.
  std::string end_series(const Place& place);

  /// Ends a series that is discarded.
  void forget_series() { own_.clear(); }

  /// Like end_series(), for a series whose channels are `channels` of the columns, from `first` on.
  std::string judge(const ColumnPrecision& columns, std::size_t first, std::size_t channels,
                    const Place& place);

  /// Warns about the counted series.
  void report(const std::string& file, Context& context) const;

 private:
  ColumnPrecision own_;
  std::size_t rounded_ = 0;
  std::string first_;
};

}  // namespace semblance::sources
