// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rows/spilling_array.hpp"
#include "semblance/error.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {

/// The numbers to predict, in the order of reading.
struct RowTargets {
  std::vector<std::string> names = {};  ///< Outline::targets; empty: the target is not numbers
  std::vector<double> values = {};      ///< Dataset::targets(): rows x names

  bool empty() const noexcept { return names.empty(); }
};

/// The target of a row where it is not known.
inline constexpr double unknown_target = std::numeric_limits<double>::quiet_NaN();

/// What is known of rows besides their values, in the order of reading. Empty lists: nothing.
struct RowAnswers {
  std::vector<std::int32_t> labels = {};
  std::vector<std::int64_t> numbers = {};  ///< Dataset::number(); empty: their positions
  std::vector<std::string> names = {};
  std::vector<double> weights = {};
  std::vector<std::int32_t> groups = {};
  RowTargets targets = {};

  /// Reorders all: row i becomes the one that was read as order[i].
  void put_in(std::span<const std::size_t> order);
  std::size_t bytes() const noexcept;
};

/// Which rows are for training and which for testing.
struct Split {
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  /// The rows by their position of reading, training samples first, without omitted rows; empty:
  /// unchanged.
  std::vector<std::size_t> order;
  std::size_t numbered_rows = 0;  ///< Outline::numbered_rows

  /// The training samples by their position of reading, from which a source learns which labels or
  /// symbols there are; all rows if none is for training.
  std::vector<std::size_t> learned_rows() const {
    std::vector<std::size_t> rows(train_rows > 0 ? train_rows : test_rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (!order.empty()) std::copy_n(order.begin(), rows.size(), rows.begin());
    return rows;
  }
};

/// The values of rows, by the positions at which they were read.
class RowValues {
 public:
  virtual ~RowValues() = default;
  /// The number of values of a row; by default the layout's size.
  virtual std::size_t size(std::size_t, const Layout& layout) const { return layout.size(); }
  /// Reads rows that follow each other.
  virtual void read(std::size_t first, MutableMatrixView out) const = 0;
  virtual std::size_t bytes() const noexcept = 0;
  /// The name of a row whose answers have none.
  virtual std::string name(std::size_t) const { return {}; }
  /// As Dataset::in_place().
  virtual MatrixView in_place(std::size_t, std::size_t) const noexcept { return {}; }
};

/// An opened data set: its values, what is known of its rows, and their order.
class RowDataset final : public Dataset {
 public:
  /// `order` gives the position of reading of each row; empty: that order. Answers are in the order
  /// of reading. Counts the outline's values where rows differ in size.
  RowDataset(Outline outline, RowAnswers answers, std::vector<std::size_t> order,
             std::unique_ptr<const RowValues> values);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return answers_.labels; }
  std::span<const double> targets() const noexcept override { return answers_.targets.values; }
  std::span<const double> weights() const noexcept override { return answers_.weights; }
  std::span<const std::int32_t> groups() const noexcept override { return answers_.groups; }
  std::size_t values(std::size_t row) const override {
    return values_->size(place(row), outline_.layout);
  }
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override;
  std::int64_t number(std::size_t row) const override {
    return answers_.numbers.empty() ? static_cast<std::int64_t>(place(row)) : answers_.numbers[row];
  }
  std::string name(std::size_t row) const override {
    return answers_.names.empty() ? values_->name(place(row)) : answers_.names[row];
  }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

 private:
  /// The position at which the row was read.
  std::size_t place(std::size_t row) const { return order_.empty() ? row : order_[row]; }
  /// How many rows from here on, at most `most`, were read one after the other.
  std::size_t run(std::size_t first, std::size_t most) const;

  Outline outline_;
  RowAnswers answers_;
  std::vector<std::size_t> order_;
  std::unique_ptr<const RowValues> values_;
};

/// Makes a data set of rows in the order of `split`.
std::unique_ptr<Dataset> make_dataset(const Layout& layout, std::vector<std::string> classes,
                                      RowAnswers answers, Split split,
                                      std::unique_ptr<const RowValues> values,
                                      std::vector<std::string> columns = {});

/// The rows whose values are stored: all, unless other processes have the remaining ones.
class HeldRows {
 public:
  HeldRows() = default;
  /// The wanted rows among those read, numbered in the order of reading.
  HeldRows(const WantedRows& wanted, std::size_t rows) { add(wanted, 0, rows); }

  /// The next rows that were read have the numbers from `first` on.
  void add(const WantedRows& wanted, std::int64_t first, std::size_t rows) {
    if (wanted.all()) return;
    for (std::size_t i = 0; i < rows; ++i)
      add(wanted.contains(first + static_cast<std::int64_t>(i)));
  }
  /// The next row that was read.
  void add(bool held) {
    const std::size_t row = rows_++;
    if (!held) return;
    if (runs_.empty() || runs_.back().end != row) runs_.push_back({row, row, held_});
    ++runs_.back().end;
    ++held_;
  }
  /// The number of rows with values.
  std::size_t held() const noexcept { return held_; }

  bool holds(std::size_t row) const {
    if (held_ == rows_) return true;
    const auto run = std::ranges::upper_bound(runs_, row, {}, &Run::end);
    return run != runs_.end() && row >= run->first;
  }

  /// The position of a row's values, in rows; throws Error if they are not stored.
  std::size_t operator[](std::size_t row) const {
    // The compact form if nothing was added or nothing is missing.
    if (held_ == rows_) return row;
    const auto run = std::ranges::upper_bound(runs_, row, {}, &Run::end);
    if (run == runs_.end() || row < run->first)
      throw Error("internal error: row " + std::to_string(row) + " was read by another rank");
    return run->at + (row - run->first);
  }
  std::size_t bytes() const noexcept { return runs_.size() * sizeof(Run); }

 private:
  struct Run {
    std::size_t first, end;  ///< rows as read
    std::size_t at;          ///< the first one's values, in rows
  };
  std::size_t rows_ = 0, held_ = 0;
  std::vector<Run> runs_;
};

/// Rows of one size, stored as T (bytes or float32) and converted on reading. A row's values may be
/// part of a longer record: row i starts at i * stride + offset.
template <class T>
class PackedValues final : public RowValues {
 public:
  PackedValues(std::vector<T> values, std::size_t stride, HeldRows held = {},
               std::size_t offset = 0)
      : values_(std::move(values)), stride_(stride), offset_(offset), held_(std::move(held)) {}

  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const T* from = values_.data() + held_[first + i] * stride_ + offset_;
      float* to = out.row(i);
      for (std::size_t c = 0; c < out.cols; ++c) to[c] = static_cast<float>(from[c]);
    }
  }
  std::size_t bytes() const noexcept override { return values_.size() * sizeof(T) + held_.bytes(); }

 private:
  std::vector<T> values_;
  std::size_t stride_, offset_;
  HeldRows held_;
};

template <class T>
std::unique_ptr<const RowValues> packed(std::vector<T> values, std::size_t size,
                                        HeldRows held = {}) {
  values.shrink_to_fit();
  return std::make_unique<PackedValues<T>>(std::move(values), size, std::move(held));
}

template <class T>
using MemoryArray = std::vector<T>;

template <class T>
std::size_t bytes_in_memory(const std::vector<T>& values) noexcept {
  return values.size() * sizeof(T);
}
template <class T>
std::size_t bytes_in_memory(const SpillingArray<T>& values) noexcept {
  return values.bytes_in_memory();
}

/// Contiguous rows of different sizes; sparse if values have columns. In a SpillingArray they need
/// not fit into memory.
template <class T, template <class> class Array = MemoryArray>
struct RaggedRows {
  Array<T> values;
  std::vector<std::size_t> offsets = {
      0};                             ///< row i is values[offsets[i]] .. values[offsets[i + 1])
  Array<std::uint32_t> columns = {};  ///< one per value, ascending within a row; or none

  std::size_t rows() const noexcept { return offsets.size() - 1; }
  std::size_t size(std::size_t row) const noexcept { return offsets[row + 1] - offsets[row]; }
  std::span<const T> row(std::size_t i) const noexcept {
    return {values.data() + offsets[i], size(i)};
  }
  /// Makes the values appended since the last call a row.
  void end_row() { offsets.push_back(values.size()); }
  /// Removes the rows that are not kept; not of sparse rows.
  void keep(const std::vector<bool>& kept) {
    std::size_t to = 0, count = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      const std::size_t end = offsets[i + 1];
      for (std::size_t k = offsets[i]; k < end; ++k) values[to++] = values[k];
      offsets[++count] = to;
    }
    offsets.resize(count + 1);
    values.resize(to);
  }
  /// The size of the largest row.
  std::size_t largest() const noexcept {
    std::size_t most = 0;
    for (std::size_t i = 0; i < rows(); ++i) most = size(i) > most ? size(i) : most;
    return most;
  }
  /// The memory in bytes.
  std::size_t bytes() const noexcept {
    return bytes_in_memory(values) + bytes_in_memory(columns) +
           offsets.size() * sizeof(std::size_t);
  }
};

/// Sparse rows that may be too many for memory.
using SpillingRows = RaggedRows<float, SpillingArray>;

/// Rows of different sizes, stored as T and converted on reading.
template <class T, template <class> class Array>
class RaggedValues final : public RowValues {
 public:
  explicit RaggedValues(RaggedRows<T, Array> rows) : rows_(std::move(rows)) {}

  std::size_t size(std::size_t row, const Layout&) const override { return rows_.size(row); }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const std::span<const T> from = rows_.row(first + i);
      if (out.sparse())
        std::copy_n(rows_.columns.data() + rows_.offsets[first + i], from.size(),
                    out.columns_of(i).data());
      float* to = out.row(i);
      for (std::size_t c = 0; c < from.size(); ++c) to[c] = static_cast<float>(from[c]);
      let_go(from.size_bytes());
    }
  }
  std::size_t bytes() const noexcept override { return rows_.bytes(); }

 private:
  /// For rows in a scratch file: keeps only a few mebibytes in memory at a time.
  void let_go(std::size_t bytes_read) const {
    if constexpr (requires { rows_.values.drop_pages(); }) {
      constexpr std::size_t most = std::size_t{4} << 20;
      if (!rows_.values.spilled() || (touched_ += bytes_read) < most) return;
      touched_ = 0;
      rows_.values.drop_pages();
      rows_.columns.drop_pages();
    }
  }

  RaggedRows<T, Array> rows_;
  mutable std::atomic<std::size_t> touched_ = 0;
};

template <class T, template <class> class Array>
std::unique_ptr<const RowValues> ragged(RaggedRows<T, Array> rows) {
  rows.values.shrink_to_fit();
  rows.offsets.shrink_to_fit();
  rows.columns.shrink_to_fit();
  return std::make_unique<RaggedValues<T, Array>>(std::move(rows));
}

}  // namespace semblance::sources
