// SPDX-License-Identifier: MIT
#include "serve/rows/given_rows.hpp"

#include <algorithm>
#include <string>

namespace semblance::serving {

void check_readable(const Layout& layout) {
  if (layout.ragged() && layout.kind != LayoutKind::sparse)
    throw Error("a row of this model is a " + describe(layout) +
                ", and rows that differ in size are not read here; write them to a file and use "
                "semblance predict MODEL DATA");
}

GivenRows::GivenRows(const Layout& layout, const RowLimits& limits)
    : width_(layout.size()), sparse_(layout.kind == LayoutKind::sparse), limits_(limits) {
  check_readable(layout);
}

void GivenRows::check_room(std::size_t values) const {
  if (rows_ >= limits_.rows)
    throw TooMuch("there are more than " + std::to_string(limits_.rows) +
                  " rows; send fewer rows at a time");
  if (values > limits_.values - std::min(limits_.values, values_.size()))
    throw TooMuch("the rows have more than " + std::to_string(limits_.values) +
                  " values; send fewer rows at a time");
}

void GivenRows::add(std::span<const float> values) {
  check_room(sparse_ ? 0 : width_);
  if (values.size() != width_)
    throw Error("has " + std::to_string(values.size()) + " values, but the model takes rows of " +
                std::to_string(width_));
  ++rows_;
  if (!sparse_) {
    values_.insert(values_.end(), values.begin(), values.end());
    return;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] == 0) continue;
    values_.push_back(values[k]);
    columns_.push_back(static_cast<std::uint32_t>(k));
  }
  offsets_.push_back(values_.size());
}

void GivenRows::add(std::span<const std::uint32_t> columns, std::span<const float> values) {
  check_room(sparse_ ? values.size() : width_);
  ++rows_;
  if (!sparse_) {
    values_.resize(values_.size() + width_);
    float* const row = values_.data() + values_.size() - width_;
    for (std::size_t k = 0; k < columns.size(); ++k) row[columns[k]] = values[k];
    return;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (values[k] == 0) continue;  // a written zero is not an entry
    values_.push_back(values[k]);
    columns_.push_back(columns[k]);
  }
  offsets_.push_back(values_.size());
}

void GivenRows::add(const GivenRows& other, std::size_t first, std::size_t count) {
  const MatrixView rows = other.view().rows_range(first, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (sparse_)
      add(rows.columns_of(i), rows.row_span(i));
    else
      add(rows.row_span(i));
  }
}

void GivenRows::keep(std::size_t count) {
  rows_ = count;
  if (!sparse_) {
    values_.resize(count * width_);
    return;
  }
  offsets_.resize(count + 1);
  values_.resize(offsets_.back());
  columns_.resize(offsets_.back());
}

MatrixView GivenRows::view() const noexcept {
  if (!sparse_) return {values_.data(), rows_, width_, width_};
  // Without this pointer, rows without entries would not be sparse.
  static constexpr std::uint32_t no_column = 0;
  return {values_.data(), rows_,           width_,
          width_,         offsets_.data(), columns_.empty() ? &no_column : columns_.data()};
}

}  // namespace semblance::serving
