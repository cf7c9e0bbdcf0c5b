// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::numerics {

/// The columns that occur in sparse rows, and the place of each among them. Whatever is computed or
/// saved per column then takes memory for these, not for all columns up to the largest index. Where
/// most columns occur, or rows are not sparse, all columns count as occurring: a column is its own
/// place.
class OccurringColumns {
 public:
  /// The place of a column that does not occur.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  OccurringColumns() = default;
  /// All columns of rows of this width.
  explicit OccurringColumns(std::size_t width) : width_(width), size_(width) {}
  /// These, ascending. Throws Error if they are not, or if one is beyond the width.
  OccurringColumns(std::vector<std::uint32_t> columns, std::size_t width);

  /// Those that occur in the training rows of any rank, at least one; all, if they are at least
  /// half of them. Takes less memory than the rows. Collective.
  static OccurringColumns of(const TrainingSet& training, Context& context);
  static OccurringColumns of(MatrixView rows);

  std::size_t width() const noexcept { return width_; }
  std::size_t size() const noexcept { return size_; }
  bool are_all() const noexcept { return size_ == width_; }

  /// The column at a place.
  std::size_t column(std::size_t place) const noexcept {
    return are_all() ? place : columns_[place];
  }
  /// The place of a column below width(), or `none`. Takes constant time where columns are evenly
  /// spread, and never more than the logarithm of their number.
  std::size_t place(std::size_t column) const noexcept {
    if (are_all()) return column;
    const std::size_t bucket = column >> shift_;
    if (bucket + 1 >= starts_.size()) return none;
    return place_within(starts_[bucket], starts_[bucket + 1], column);
  }

  /// The value of each of these columns: that of its place, or `other`.
  template <class T>
  std::vector<T> values_at(std::span<const std::size_t> columns, std::span<const T> values,
                           T other) const {
    std::vector<T> chosen;
    chosen.reserve(columns.size());
    for (const std::size_t column : columns) {
      const std::size_t at = place(column);
      chosen.push_back(at == none ? other : values[at]);
    }
    return chosen;
  }

  /// The same for all columns.
  template <class T>
  std::vector<T> spread(std::span<const T> values, T other) const {
    std::vector<T> all(width_, other);
    for (std::size_t k = 0; k < size_; ++k) all[column(k)] = values[k];
    return all;
  }

  /// Sparse rows with places in place of columns, and without the columns that do not occur.
  FloatMatrix at_places(MatrixView rows) const;

  /// The bytes that it holds.
  std::size_t bytes() const noexcept {
    return (columns_.size() + starts_.size()) * sizeof(std::uint32_t);
  }

  /// Writes the columns as `columns`; nothing if they are all.
  void save(StateWriter& state) const;
  /// Reads what save() wrote for rows of this width. All columns, if the state has no `columns`.
  static OccurringColumns load(const StateReader& state, std::size_t width);

 private:
  std::size_t place_within(std::size_t first, std::size_t end, std::size_t column) const noexcept;

  std::size_t width_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> columns_;  ///< ascending; none if all occur
  unsigned shift_ = 0;
  std::vector<std::uint32_t> starts_;  ///< by column >> shift_: the places of these columns
};

}  // namespace semblance::numerics
