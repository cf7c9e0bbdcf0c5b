// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::sources {

/// Watches the loss of precision when columns are converted to float32, which has 24 bits: integers
/// beyond 16,777,216 may be rounded, columns whose values differ by little relative to their size
/// may lose these differences, and values below 1e-45 become 0.
class ColumnPrecision {
 public:
  explicit ColumnPrecision(std::size_t columns = 0) : columns_(columns) {}

  /// The approximate memory in bytes.
  static constexpr double bytes_a_column = 64;

  std::size_t columns() const noexcept { return columns_.size(); }
  void resize(std::size_t columns) { columns_.resize(columns); }
  double bytes() const noexcept { return double(columns_.size()) * sizeof(Column); }

  /// Takes a value; returns whether note() needs it exactly. Almost always false: true only if it
  /// is large or tiny, or if the values so far are close together relative to its size.
  bool wants(std::size_t column, float value) noexcept {
    Column& c = columns_[column];
    if (value < c.low) c.low = value;
    if (value > c.high) c.high = value;
    const float size = std::abs(value);
    // A 0 may be an underflow, which does not matter once the column has other values.
    if (size < least_normal) return size > 0 || c.low == c.high;
    return size >= largest_exact || c.high - c.low < size * small_spread;
  }

  /// The value before it was rounded.
  void note(std::size_t column, float value, long double exact, bool whole) noexcept;

  /// Records zeros in this column that were not passed to wants().
  void add_zero(std::size_t column) noexcept;

  /// The loss of the differences between a column's values.
  enum class Loss {
    none,
    some,  ///< more than a thousandth
    all    ///< values can no longer be distinguished
  };
  Loss loss(std::size_t column) const noexcept;
  /// "differ by 4, but would be rounded by up to 3, since ...; subtract a constant, such as the
  /// column's smallest value, from the column first"; `whose` and `what` are "the column's" and
  /// "the column".
  std::string describe_loss(std::size_t column, const std::string& whose,
                            const std::string& what) const;

  /// Throws DataError if a column has lost the differences between its values. Logs a warning if
  /// rounding is smaller, but more than a thousandth of the column's spread, or if it changes
  /// integers. `describe` names a column: "column 3 (age)".
  void check(const std::string& file, const std::function<std::string(std::size_t)>& describe,
             Context& context) const;

 private:
  static constexpr float largest_exact = 16777216.0f;
  static constexpr float least_normal = 0x1p-126f;
  /// Relative to a value's size. Rounding errors, at most 2^-25 of it, are less than a thousandth
  /// of a spread that is larger.
  static constexpr float small_spread = 0x1p-15f;

  struct Column {
    float low = HUGE_VALF, high = -HUGE_VALF;
    float whole_error = 0;                                       ///< the largest of whole numbers
    long double error = 0;                                       ///< the largest
    long double exact_low = HUGE_VALL, exact_high = -HUGE_VALL;  ///< of the values passed to note()
    long double spread() const noexcept;
    bool tiny() const noexcept { return high < least_normal && low > -least_normal; }
  };
  std::vector<Column> columns_;
};

/// A number with all its digits, as far as 64 bits hold them. `text` must be a number.
struct ExactNumber {
  long double value = 0;
  bool whole = false;
};
ExactNumber exact_number(std::string_view text) noexcept;

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
