// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::numerics {

/// The loss of columns whose numbers become float32, which has 24 bits: the one rule by which
/// files, arrays of programs, attributes of graphs and targets are refused.
///
/// **The rule.** The different values of a column are sorted. Values next to each other are lost if
/// rounding makes some of them the same, and moves one by more than a sixteenth of what the column
/// would span if all of it were as dense. The column is lost if more than half of its values are.
///
/// A column that is spread evenly is lost if its values span less than eight float32 numbers.
/// Judging where the values are, not by the largest minus the smallest, keeps the rule when a few
/// values are far from the others (0 for a missing one, 1e9 for an error), when there are several
/// levels, up to about eight, or both. It accepts what float32 represents well relative to the
/// value: any range of magnitudes, ties, and whole numbers up to 2^24.
///
/// - "Next to each other" are an eighth of the values. So few are needed because levels may share
///   the column; with fewer, values that are close by chance would count.
/// - Values count once, since most rows may have the same one, such as 0.
/// - Numbers that are not whole and differ by less than 2^-46 of their size are the same value: the
///   last bits of a double come from the order of a sum, not from the data.
/// - Values that approach a limit, as shares approach 1, have gaps of all magnitudes, of which
///   float32 keeps those that are large enough to matter beside the rest of the column. They are
///   lost only if hardly anything else is in the column.
/// - Values below 2^-126, where float32 has fewer bits, are 0 beside larger ones.
///
/// **The sample.** 64 of the different values are enough: those whose hashes are the smallest. They
/// are a random sample of the values, and depend neither on the order of the rows nor on how often
/// a value occurs. So each column needs one pass and at most 1,100 bytes.
class ColumnPrecision {
 public:
  explicit ColumnPrecision(std::size_t columns = 0) : columns_(columns) {}

  /// The memory in bytes of columns of this many values.
  static double bytes(std::size_t columns, std::size_t values) noexcept {
    return double(columns) *
           double(sizeof(Column) + sizeof(Entry) * std::min(values, 2 * sample_size));
  }
  /// The memory of these columns so far.
  double bytes() const noexcept {
    return double(columns_.size()) * sizeof(Column) + 2 * double(sampled_) * sizeof(Entry);
  }

  std::size_t columns() const noexcept { return columns_.size(); }
  void resize(std::size_t columns) { columns_.resize(columns); }

  /// For files that jump between many columns: begins to load what add() reads of a column, and,
  /// a while after fetch(), fetch_sample() the rest.
  void fetch(std::size_t column) const noexcept {
    if (column < columns_.size()) __builtin_prefetch(&columns_[column], 1);
  }
  void fetch_sample(std::size_t column) const noexcept {
    if (column >= columns_.size()) return;
    const std::vector<Entry>& sample = columns_[column].sample;
    __builtin_prefetch(sample.data() + sample.size(), 1);
    if (columns_[column].sorted) __builtin_prefetch(sample.data() + sample.size() / 2, 1);
  }

  /// Takes a value: finite, and not too large for float32.
  void add(std::size_t column, double value) {
    Column& c = columns_[column];
    const auto rounded = static_cast<float>(value);
    c.low = std::min(c.low, rounded);
    c.high = std::max(c.high, rounded);
    if (value == 0) {
      c.zero = true;
      return;
    }
    if (std::abs(value) >= largest_exact && value == std::floor(value)) note_whole(c, value);
    const std::uint32_t key = key_of(std::bit_cast<std::uint64_t>(value));
    if (key <= c.bound) insert(c, {key, rounded, value - double{rounded}});
  }
  /// An integer, or a number of which a double does not hold all digits.
  void add(std::size_t column, std::integral auto value) {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    if (std::cmp_less_equal(value, exact) && std::cmp_greater_equal(value, -exact))
      add(column, static_cast<double>(value));
    else
      add_wide(column, static_cast<long double>(value));
  }
  void add(std::size_t column, long double value) { add_wide(column, value); }

  /// Forgets all values.
  void clear();

  /// Names a column: "column 3 (age)".
  using Describe = std::function<std::string(std::size_t)>;

  /// Says which column is lost, and what to do: "the values in column 3 (age) differ by 4, but
  /// would be rounded by up to 3, since float32 has 24 bits; subtract a constant, such as
  /// 1700000000, from the column first". Empty if none is.
  std::string lost(const Describe& describe) const;
  /// The same of one column, from "differ by" on; `what` is "the column". Empty if it is not lost.
  std::string lost(std::size_t column, const std::string& what) const;

  /// Says which columns, none of them lost, are rounded noticeably: by a thousandth of what they
  /// span, or whole numbers at all. Empty if none is.
  std::string rounded(const Describe& describe) const;
  /// Whether rounding is more than a thousandth of what the column spans.
  bool rounded(std::size_t column) const;

  /// Throws DataError if a column is lost; logs a warning if one is rounded noticeably.
  void check(const std::string& file, const Describe& describe, Context& context) const;

 private:
  static constexpr double largest_exact = 16777216;
  static constexpr std::size_t sample_size = 64;

  /// The number is value + rest.
  struct Entry {
    std::uint32_t key;
    float value;
    double rest;
  };
  struct Column {
    float low = HUGE_VALF, high = -HUGE_VALF;
    float whole_error = 0;  ///< the largest rounding error of whole numbers
    bool zero = false;      ///< whether 0 is a value; it is not in the sample
    bool sorted = false;    ///< whether the sample ascends, each key once
    std::uint32_t bound = std::numeric_limits<std::uint32_t>::max();  ///< the largest key wanted
    std::vector<Entry> sample;
  };
  struct Loss;
  /// What there is to say, if anything; of `rounded`, only where none is lost.
  struct Verdict {
    std::string lost;
    std::string rounded;
  };

  /// Bits that all depend on all of `bits`.
  static std::uint32_t key_of(std::uint64_t bits) noexcept {
    bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15U;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9U;
    return static_cast<std::uint32_t>(bits >> 32);
  }
  void add_wide(std::size_t column, long double value);
  static void note_whole(Column& column, long double value) noexcept;
  void insert(Column& column, const Entry& entry);
  static void sort(std::vector<Entry>& sample);
  Loss loss(std::size_t column) const;
  Verdict judge(const Describe& describe) const;

  std::vector<Column> columns_;
  std::size_t sampled_ = 0;  ///< values in all samples
};

}  // namespace semblance::numerics
