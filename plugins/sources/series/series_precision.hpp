// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "column_precision.hpp"
#include "semblance/context.hpp"

namespace semblance {

/// Watches what series lose as their values become float32, each series and channel by itself: what
/// normalizes a series subtracts its own level, and the spread of all of them says nothing about
/// how much is left of one.
class SeriesPrecision {
 public:
  using Place = std::function<std::string()>;

  /// As ColumnPrecision's, of the series so far.
  bool wants(std::size_t channel, float value) {
    if (channel >= own_.columns()) own_.resize(channel + 1);
    return own_.wants(channel, value);
  }
  void note(std::size_t channel, float value, long double exact, bool whole) noexcept {
    own_.note(channel, value, exact, whole);
  }

  /// Ends a series; the next value belongs to another one. Returns what to say of one that has lost
  /// what tells its values apart, else nothing; counts those that have lost less, the first of
  /// which is at `place()`.
  std::string end_series(const Place& place);

  /// Ends a series that nobody gets.
  void forget_series() { own_ = ColumnPrecision(own_.columns()); }

  /// As end_series(), of a series whose channels are `channels` of the columns, from `first` on.
  std::string judge(const ColumnPrecision& columns, std::size_t first, std::size_t channels,
                    const Place& place);

  /// Warns of those that were counted.
  void report(const std::string& file, Context& context) const;

 private:
  ColumnPrecision own_;
  std::size_t rounded_ = 0;
  std::string first_;
};

}  // namespace semblance
