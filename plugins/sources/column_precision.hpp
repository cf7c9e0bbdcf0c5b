// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/context.hpp"

namespace semblance {

/// Watches what columns lose as their values become float32, which has 24 bits: whole numbers
/// beyond 16,777,216 may be rounded, a column whose values differ by little for their size may lose
/// what tells them apart, and values under 1e-45 become 0.
class ColumnPrecision {
 public:
  explicit ColumnPrecision(std::size_t columns = 0) : columns_(columns) {}

  /// Of memory, about.
  static constexpr double bytes_a_column = 64;

  std::size_t columns() const noexcept { return columns_.size(); }
  void resize(std::size_t columns) { columns_.resize(columns); }
  double bytes() const noexcept { return double(columns_.size()) * sizeof(Column); }

  /// Takes a value in; whether note() wants to know it exactly. Almost always false: only where it
  /// is large or tiny, or the values so far are close together for its size.
  bool wants(std::size_t column, float value) noexcept {
    Column& c = columns_[column];
    if (value < c.low) c.low = value;
    if (value > c.high) c.high = value;
    const float size = std::abs(value);
    // A 0 may have been more than that: once the column has other values, that is no matter.
    if (size < least_normal) return size > 0 || c.low == c.high;
    return size >= largest_exact || c.high - c.low < size * small_spread;
  }

  /// The value before it was rounded.
  void note(std::size_t column, float value, long double exact, bool whole) noexcept;

  /// Some rows have a 0 in this column that wants() was not told of.
  void add_zero(std::size_t column) noexcept;

  /// How much of what tells a column's values apart is lost.
  enum class Loss {
    none,
    some,  ///< more than a thousandth
    all    ///< so much that values can no longer be told apart
  };
  Loss loss(std::size_t column) const noexcept;
  /// "differ by 4, but would be rounded by up to 3, since ...; subtract a constant, such as the
  /// column's smallest value, from the column first"; `whose` and `what` are "the column's" and
  /// "the column".
  std::string describe_loss(std::size_t column, const std::string& whose,
                            const std::string& what) const;

  /// Throws DataError where a column has lost what tells its values apart; logs a warning where
  /// rounding is less, but more than a thousandth of the column's spread, or rounds whole numbers.
  /// `describe` names a column: "column 3 (age)".
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
    long double exact_low = HUGE_VALL, exact_high = -HUGE_VALL;  ///< of what note() was told
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

}  // namespace semblance
