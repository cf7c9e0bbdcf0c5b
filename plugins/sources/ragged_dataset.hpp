// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "memory_dataset.hpp"
#include "semblance/source.hpp"
#include "spilling_array.hpp"

namespace semblance::sources {

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

/// A data set of rows of different sizes, with values stored as T and converted on reading.
template <class T, template <class> class Array>
class RaggedDataset final : public Dataset {
 public:
  /// `labels` are in the order given by `order`; an empty `order` means the order of reading.
  RaggedDataset(Outline outline, RaggedRows<T, Array> rows, std::vector<std::int32_t> labels,
                std::vector<std::size_t> order, RowOrigins origins)
      : outline_(std::move(outline)),
        rows_(std::move(rows)),
        labels_(std::move(labels)),
        order_(std::move(order)),
        origins_(std::move(origins)) {
    origins_.put_in(order_);
  }

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return origins_.targets.values; }
  std::span<const double> weights() const noexcept override { return origins_.weights; }
  std::span<const std::int32_t> groups() const noexcept override { return origins_.groups; }
  std::size_t values(std::size_t row) const override { return rows_.size(place(row)); }

  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const std::size_t row = place(first + i);
      const std::span<const T> from = rows_.row(row);
      if (out.sparse())
        std::copy_n(rows_.columns.data() + rows_.offsets[row], from.size(),
                    out.columns_of(i).data());
      float* to = out.row(i);
      for (std::size_t c = 0; c < from.size(); ++c) to[c] = static_cast<float>(from[c]);
      let_go(from.size_bytes());
    }
  }

  std::size_t bytes() const noexcept override {
    return rows_.bytes() + labels_.size() * sizeof(std::int32_t) +
           order_.size() * sizeof(std::size_t) + origins_.bytes();
  }

  std::int64_t number(std::size_t row) const override {
    const std::size_t read = place(row);
    return origins_.numbers.empty() ? static_cast<std::int64_t>(read) : origins_.numbers[read];
  }
  std::string name(std::size_t row) const override {
    return origins_.names.empty() ? std::string() : origins_.names[place(row)];
  }

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

  /// The position at which the row was read.
  std::size_t place(std::size_t row) const { return order_.empty() ? row : order_[row]; }

  Outline outline_;
  RaggedRows<T, Array> rows_;
  std::vector<std::int32_t> labels_;
  std::vector<std::size_t> order_;
  RowOrigins origins_;
  mutable std::atomic<std::size_t> touched_ = 0;
};

/// Makes a data set of such rows, in the order of `split`. `labels` are in the order of reading, -1
/// if there are none.
template <class T, template <class> class Array>
std::unique_ptr<Dataset> make_ragged_dataset(const Layout& layout, std::vector<std::string> classes,
                                             RaggedRows<T, Array> rows,
                                             std::vector<std::int32_t> labels, Split split,
                                             RowOrigins origins = {},
                                             std::vector<std::string> columns = {}) {
  if (!split.order.empty()) {
    std::vector<std::int32_t> ordered(split.order.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = labels[split.order[i]];
    labels = std::move(ordered);
  }
  rows.values.shrink_to_fit();
  rows.offsets.shrink_to_fit();
  rows.columns.shrink_to_fit();
  Outline outline{layout, split.train_rows, split.test_rows, std::move(classes),
                  std::move(columns)};
  outline.numbered_rows = split.numbered_rows;
  outline.targets = origins.targets.names;
  outline.values = rows.values.size();
  if (!split.order.empty() && split.order.size() < rows.rows()) {
    outline.values = 0;
    for (const std::size_t row : split.order) outline.values += rows.size(row);
  }
  return std::make_unique<RaggedDataset<T, Array>>(std::move(outline), std::move(rows),
                                                   std::move(labels), std::move(split.order),
                                                   std::move(origins));
}

}  // namespace semblance::sources
