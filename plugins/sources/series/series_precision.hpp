// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "column_precision.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// Watches the loss of precision when series are converted to float32, per series and channel:
/// normalization of a series subtracts its own level, and the spread of all series does not show
/// the precision of one.
class SeriesPrecision {
 public:
  using Place = std::function<std::string()>;

  /// Like ColumnPrecision's, for the series so far.
  bool wants(std::size_t channel, float value) {
    if (channel >= own_.columns()) own_.resize(channel + 1);
    return own_.wants(channel, value);
  }
  void note(std::size_t channel, float value, long double exact, bool whole) noexcept {
    own_.note(channel, value, exact, whole);
  }

  /// Ends a series. Returns a message if it has lost the differences between its values, else
  /// nothing. Counts series with a smaller loss, the first of which is at `place()`.
  std::string end_series(const Place& place);

  /// Ends a series that is discarded.
  void forget_series() { own_ = ColumnPrecision(own_.columns()); }

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
