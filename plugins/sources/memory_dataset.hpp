// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Numbers, names, weights, groups and targets of rows in the user's data, in the order of reading.
struct RowOrigins {
  std::vector<std::int64_t> numbers = {};  ///< Dataset::number(); empty: their positions
  std::vector<std::string> names = {};     ///< Dataset::name(); empty: they have none
  std::vector<double> weights = {};        ///< Dataset::weights(); empty: they have none
  std::vector<std::int32_t> groups = {};   ///< Dataset::groups(); empty: they have none

  RowTargets targets = {};

  /// Reorders weights, groups and targets: row i becomes the one that was read as order[i].
  void put_in(std::span<const std::size_t> order) {
    if (order.empty()) return;
    const auto reorder = [&](auto& values, std::size_t per_row) {
      if (values.empty()) return;
      std::remove_cvref_t<decltype(values)> ordered;
      ordered.reserve(order.size() * per_row);
      for (const std::size_t read : order)
        for (std::size_t k = 0; k < per_row; ++k) ordered.push_back(values[read * per_row + k]);
      values = std::move(ordered);
    };
    reorder(weights, 1);
    reorder(groups, 1);
    reorder(targets.values, targets.names.size());
  }
  std::size_t bytes() const noexcept {
    std::size_t sum = numbers.size() * sizeof(std::int64_t) +
                      (weights.size() + targets.values.size()) * sizeof(double) +
                      groups.size() * sizeof(std::int32_t);
    for (const std::string& name : names) sum += sizeof name + name.capacity();
    return sum;
  }
};

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

/// A data set in memory with values stored as T (bytes or float32) and converted on reading. A
/// row's values may be part of a longer record.
template <class T>
class MemoryDataset final : public Dataset {
 public:
  /// The position of rows in `values`: row i starts at i * stride + offset.
  struct Records {
    std::size_t stride = 0;
    std::size_t offset = 0;
  };

  /// `labels` are in the order given by `order`; an empty `order` means the order of reading.
  MemoryDataset(Outline outline, std::vector<T> values, std::vector<std::int32_t> labels,
                std::vector<std::size_t> order, Records records, RowOrigins origins = {},
                HeldRows held = {})
      : outline_(std::move(outline)),
        values_(std::move(values)),
        labels_(std::move(labels)),
        order_(std::move(order)),
        records_(records),
        origins_(std::move(origins)),
        held_(std::move(held)) {
    origins_.put_in(order_);
  }

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return origins_.targets.values; }
  std::span<const double> weights() const noexcept override { return origins_.weights; }
  std::span<const std::int32_t> groups() const noexcept override { return origins_.groups; }

  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const T* from = values_.data() + held_[place(first + i)] * records_.stride + records_.offset;
      float* to = out.row(i);
      for (std::size_t c = 0; c < out.cols; ++c) to[c] = static_cast<float>(from[c]);
    }
  }

  std::size_t bytes() const noexcept override {
    return values_.size() * sizeof(T) + labels_.size() * sizeof(std::int32_t) +
           order_.size() * sizeof(std::size_t) + origins_.bytes() + held_.bytes();
  }

  std::int64_t number(std::size_t row) const override {
    const std::size_t read = place(row);
    return origins_.numbers.empty() ? static_cast<std::int64_t>(read) : origins_.numbers[read];
  }
  std::string name(std::size_t row) const override {
    return origins_.names.empty() ? std::string() : origins_.names[place(row)];
  }

 private:
  /// The position at which the row was read.
  std::size_t place(std::size_t row) const { return order_.empty() ? row : order_[row]; }

  Outline outline_;
  std::vector<T> values_;
  std::vector<std::int32_t> labels_;
  std::vector<std::size_t> order_;
  Records records_;
  RowOrigins origins_;
  HeldRows held_;
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

/// Makes a data set of densely packed rows, in the order of `split`. `labels` are in the order of
/// reading, -1 if there are none; `values` are those of the stored rows.
template <class T>
std::unique_ptr<Dataset> make_dataset(const Layout& layout, std::vector<std::string> classes,
                                      std::vector<T> values, std::vector<std::int32_t> labels,
                                      Split split, RowOrigins origins = {},
                                      std::vector<std::string> columns = {}, HeldRows held = {}) {
  if (!split.order.empty()) {
    std::vector<std::int32_t> ordered(split.order.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = labels[split.order[i]];
    labels = std::move(ordered);
  }
  values.shrink_to_fit();
  Outline outline{layout,
                  split.train_rows,
                  split.test_rows,
                  std::move(classes),
                  std::move(columns),
                  split.numbered_rows};
  outline.targets = origins.targets.names;
  return std::make_unique<MemoryDataset<T>>(
      std::move(outline), std::move(values), std::move(labels), std::move(split.order),
      typename MemoryDataset<T>::Records{layout.size(), 0}, std::move(origins), std::move(held));
}

}  // namespace semblance::sources
